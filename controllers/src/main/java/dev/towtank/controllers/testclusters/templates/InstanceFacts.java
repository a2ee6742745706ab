package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All that is known around an instance.
///
/// @param template a ClusterTemplate, or a ClusterTemplateSetup for an instance with a cluster of its own
/// @param set what makes the cluster; likewise its Application
/// @param sets for what is set up in it, by their names; likewise their Applications
/// @param given the Secret of a cluster that the instance brought
/// @param users who may use templates in the namespace: its RoleBindings to that role
/// @param argo the cluster Secret by which Applications find the cluster
public record InstanceFacts(
        Optional<Resource> template,
        Optional<Resource> quota,
        Optional<Resource> set,
        Optional<Resource> application,
        Optional<Provided> provided,
        Map<String, Resource> sets,
        Map<String, Resource> applications,
        Optional<Resource> given,
        Optional<Resource> kubeconfig,
        Optional<Resource> password,
        Optional<Resource> role,
        Optional<Resource> binding,
        List<Resource> users,
        Optional<Resource> argo,
        String argoNamespace) {
    public InstanceFacts {
        sets = Map.copyOf(sets);
        applications = Map.copyOf(applications);
        users = List.copyOf(users);
    }

    boolean isLogical() {
        return template.filter(each ->
                        each.annotations().getOrDefault(Instance.PROVIDER, "").equals("logical"))
                .isPresent();
    }

    List<String> setups() {
        return template.map(each -> each.spec().array("clusterSetup").strings()).orElse(List.of());
    }
}
