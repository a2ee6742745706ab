package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Outside.Answer;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// All that is known around an instance.
///
/// @param template a ClusterTemplate, or a ClusterTemplateSetup for an instance with a cluster of its own
/// @param quotas that say how long it may live
/// @param config of all templates
/// @param patterns the sets that the template names; under the empty name that which makes the cluster
/// @param sets of this instance, likewise
/// @param applications of those, likewise
/// @param provided what stands behind it; several where a chart makes more than one cluster
/// @param jobs what the chart's own Jobs said, where the instance failed and nobody has written that down
/// @param keys what tenants read
/// @param given the cluster that the instance brought
/// @param argo the cluster Secret by which Applications find the cluster
/// @param argoNamespace where sets and Applications are
/// @param redaction takes out of a text what is secret where the cluster is made; it reads all Secrets there, so only
///     failures go through it
public record InstanceFacts(
        Optional<Resource> template,
        List<Resource> quotas,
        Optional<Resource> config,
        Map<String, Resource> patterns,
        Map<String, Resource> sets,
        Map<String, Resource> applications,
        List<Provided> provided,
        JobWords jobs,
        Keys keys,
        Optional<Given> given,
        Optional<Resource> argo,
        String argoNamespace,
        UnaryOperator<String> redaction) {

    public InstanceFacts {
        quotas = List.copyOf(quotas);
        patterns = Map.copyOf(patterns);
        sets = Map.copyOf(sets);
        applications = Map.copyOf(applications);
        provided = List.copyOf(provided);
    }

    /// @param users who may use templates in the namespace: its RoleBindings to that role
    /// @param log what was written down of a failure
    public record Keys(
            Optional<Resource> kubeconfig,
            Optional<Resource> password,
            Optional<Resource> role,
            Optional<Resource> binding,
            List<Resource> users,
            Optional<Resource> log) {
        public Keys {
            users = List.copyOf(users);
        }
    }

    /// @param secret where it is still there
    /// @param login whether its keys open it; absent where they cannot be tried
    public record Given(Optional<Resource> secret, String problem, Optional<Answer<Boolean>> login) {}

    Optional<Provided> cluster() {
        return provided.stream().findFirst();
    }

    Optional<Resource> application() {
        return Optional.ofNullable(applications.get(""));
    }

    /// Of a template that makes clusters without a chart; empty for others.
    String provider() {
        return template.map(each -> each.annotations().getOrDefault(Instance.PROVIDER, ""))
                .orElse("");
    }

    boolean isMadeHere() {
        return !provider().isEmpty();
    }

    List<String> setups() {
        return template.map(each -> each.spec().array("clusterSetup").strings()).orElse(List.of());
    }
}
