"""placeholder until the ranker lands"""


def feature_matrix(*args):
    return {}
