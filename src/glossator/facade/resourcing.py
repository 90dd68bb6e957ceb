"""The verbs of kept revisions: resources, resource_history, resource, resource_diff, rollback_resource."""

from glossator.facade.core import Core


class ResourceVerbs(Core):
    """The verbs of kept revisions."""
