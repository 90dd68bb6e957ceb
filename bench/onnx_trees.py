"""A LightGBM booster as an ONNX TreeEnsembleRegressor: numeric splits only, exact in float32."""

from __future__ import annotations

from typing import Any

import lightgbm as lgb
import numpy as np
from onnx import TensorProto, helper


def below_in_float32(threshold: float) -> float:
    """The largest float32 that is not above the threshold: for a float32 x, x <= both or x > both."""
    near = np.float32(threshold)
    return float(near if float(near) <= threshold else np.nextafter(near, np.float32(-np.inf)))


def ensemble_of(booster: lgb.Booster, feature_count: int) -> bytes:
    """The model's bytes; the same booster gives the same bytes."""
    columns: dict[str, list[Any]] = {
        f"nodes_{part}": []
        for part in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")
    } | {f"target_{part}": [] for part in ("treeids", "nodeids", "ids", "weights")}
    for tree_id, tree in enumerate(booster.dump_model()["tree_info"]):
        _add_tree(columns, tree_id, tree["tree_structure"])
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["score"], domain="ai.onnx.ml", n_targets=1, aggregate_function="SUM",
        post_transform="NONE", **columns,
    )  # fmt: skip
    graph = helper.make_graph(
        [node],
        "ranker",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, feature_count])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, [None, 1])],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="glossator")
    return bytes(model.SerializeToString(deterministic=True))


def _add_tree(columns: dict[str, list[Any]], tree_id: int, root: dict[str, Any]) -> None:
    numbered: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        places[id(node)] = len(numbered)
        numbered.append(node)
        if "split_feature" in node:
            waiting += [node["right_child"], node["left_child"]]
    for place, node in enumerate(numbered):
        leaf = "split_feature" not in node
        if not leaf and node["decision_type"] != "<=":
            raise ValueError(f"a split by {node['decision_type']} cannot be written")
        row = {
            "treeids": tree_id,
            "nodeids": place,
            "featureids": 0 if leaf else node["split_feature"],
            "modes": "LEAF" if leaf else "BRANCH_LEQ",
            "values": 0.0 if leaf else below_in_float32(node["threshold"]),
            "truenodeids": 0 if leaf else places[id(node["left_child"])],
            "falsenodeids": 0 if leaf else places[id(node["right_child"])],
        }
        for part, value in row.items():
            columns[f"nodes_{part}"].append(value)
        if leaf:
            target = {"treeids": tree_id, "nodeids": place, "ids": 0, "weights": float(node["leaf_value"])}
            for part, value in target.items():
                columns[f"target_{part}"].append(value)
