package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.settings.Target.Component;
import dev.towtank.app.lint.settings.Target.Release;
import dev.towtank.app.lint.source.Document;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Whether the target's release serves the version of an API at all.
///
/// @param target which releases count
record ApiVersions(Target target) implements Check {

    private static final String SAME = "";

    /// @param kinds none for all of the version
    /// @param since the first release without it
    /// @param instead a version to write in its place, or words
    /// @param isSame whether objects of both versions look the same
    private record Gone(
            Component component, String version, Set<String> kinds, Release since, String instead, boolean isSame) {}

    private static final List<Gone> GONE = List.of(
            gone(Component.TEKTON, "tekton.dev/v1alpha1", "0.44", "tekton.dev/v1", "Task TaskRun Pipeline PipelineRun"),
            gone(Component.TEKTON, "tekton.dev/v1alpha1", "0.46", "params, workspaces and results", "PipelineResource"),
            gone(Component.TEKTON, "tekton.dev/v1alpha1", "0.44", "'when' in the pipeline's tasks", "Condition"),
            gone(Component.TEKTON, "tekton.dev/v1alpha1", "1.0", "a CustomRun of tekton.dev/v1beta1", "Run"),
            gone(
                    Component.TEKTON,
                    "tekton.dev/v1beta1",
                    "1.0",
                    "a Task, and refer to it with 'resolver: cluster'",
                    "ClusterTask"),
            gone(
                    Component.TEKTON,
                    "tekton.dev/v1",
                    "0.0",
                    "a Task, and refer to it with 'resolver: cluster'",
                    "ClusterTask"),
            same(Component.TEKTON, "tekton.dev/v1", "0.0", "tekton.dev/v1beta1", "StepAction CustomRun"),
            same(
                    Component.ESO,
                    "external-secrets.io/v1beta1",
                    "0.17",
                    "external-secrets.io/v1",
                    "ExternalSecret SecretStore ClusterSecretStore ClusterExternalSecret"),
            gone(
                    Component.ESO,
                    "external-secrets.io/v1alpha1",
                    "0.17",
                    "external-secrets.io/v1",
                    "ExternalSecret SecretStore ClusterSecretStore ClusterExternalSecret"),
            same(
                    Component.ESO,
                    "external-secrets.io/v1",
                    "0.0",
                    "external-secrets.io/v1alpha1",
                    "PushSecret ClusterPushSecret"),
            gone(
                    Component.KSERVE,
                    "serving.kserve.io/v1alpha2",
                    "0.7",
                    "serving.kserve.io/v1beta1",
                    "InferenceService"),
            gone(Component.KSERVE, "serving.kserve.io/v1", "0.0", "serving.kserve.io/v1beta1", "InferenceService"),
            gone(Component.KSERVE, "serving.kubeflow.org/v1alpha2", "0.7", "serving.kserve.io/v1beta1", SAME),
            gone(Component.KSERVE, "serving.kubeflow.org/v1beta1", "0.7", "serving.kserve.io/v1beta1", SAME),
            gone(Component.KUBERNETES, "extensions/v1beta1", "1.22", "networking.k8s.io/v1", "Ingress"),
            gone(Component.KUBERNETES, "extensions/v1beta1", "1.16", "networking.k8s.io/v1", "NetworkPolicy"),
            gone(Component.KUBERNETES, "extensions/v1beta1", "1.16", "apps/v1", "Deployment DaemonSet ReplicaSet"),
            gone(Component.KUBERNETES, "extensions/v1beta1", "1.16", "pod security admission", "PodSecurityPolicy"),
            gone(Component.KUBERNETES, "extensions/v1beta1", "1.22", "apps/v1 or networking.k8s.io/v1", SAME),
            gone(Component.KUBERNETES, "apps/v1beta1", "1.16", "apps/v1", SAME),
            gone(Component.KUBERNETES, "apps/v1beta2", "1.16", "apps/v1", SAME),
            same(Component.KUBERNETES, "batch/v1beta1", "1.25", "batch/v1", "CronJob"),
            gone(Component.KUBERNETES, "policy/v1beta1", "1.25", "policy/v1", "PodDisruptionBudget"),
            gone(Component.KUBERNETES, "policy/v1beta1", "1.25", "pod security admission", "PodSecurityPolicy"),
            gone(Component.KUBERNETES, "networking.k8s.io/v1beta1", "1.22", "networking.k8s.io/v1", "Ingress"),
            gone(Component.KUBERNETES, "autoscaling/v2beta1", "1.25", "autoscaling/v2", SAME),
            gone(Component.KUBERNETES, "autoscaling/v2beta2", "1.26", "autoscaling/v2", SAME),
            same(
                    Component.KUBERNETES,
                    "rbac.authorization.k8s.io/v1beta1",
                    "1.22",
                    "rbac.authorization.k8s.io/v1",
                    SAME),
            gone(Component.KUBERNETES, "apiextensions.k8s.io/v1beta1", "1.22", "apiextensions.k8s.io/v1", SAME),
            gone(
                    Component.KUBERNETES,
                    "admissionregistration.k8s.io/v1beta1",
                    "1.22",
                    "admissionregistration.k8s.io/v1",
                    "MutatingWebhookConfiguration ValidatingWebhookConfiguration"),
            same(Component.KUBERNETES, "storage.k8s.io/v1beta1", "1.22", "storage.k8s.io/v1", "StorageClass"),
            same(Component.KUBERNETES, "scheduling.k8s.io/v1beta1", "1.22", "scheduling.k8s.io/v1", "PriorityClass"),
            same(Component.KUBERNETES, "coordination.k8s.io/v1beta1", "1.22", "coordination.k8s.io/v1", "Lease"),
            gone(Component.KUBERNETES, "discovery.k8s.io/v1beta1", "1.25", "discovery.k8s.io/v1", "EndpointSlice"));

    /// Versions that older releases do not have yet.
    private static final List<Gone> NOT_YET = List.of(
            gone(Component.TEKTON, "tekton.dev/v1", "0.43", "tekton.dev/v1beta1", SAME),
            same(
                    Component.ESO,
                    "external-secrets.io/v1",
                    "0.16",
                    "external-secrets.io/v1beta1",
                    "ExternalSecret SecretStore ClusterSecretStore ClusterExternalSecret"));

    /// Since which release of Kubernetes there is a version: whoever has an object of it has no older one.
    private static final Map<String, Release> SINCE = Map.of(
            "autoscaling/v2", Release.of("1.23"),
            "flowcontrol.apiserver.k8s.io/v1beta3", Release.of("1.26"),
            "flowcontrol.apiserver.k8s.io/v1", Release.of("1.29"),
            "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy", Release.of("1.30"),
            "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding", Release.of("1.30"),
            "networking.k8s.io/v1 IPAddress", Release.of("1.33"),
            "resource.k8s.io/v1", Release.of("1.34"));

    private static final Set<String> RUN_KINDS = Set.of("Task", "TaskRun", "Pipeline", "PipelineRun");

    private static Gone gone(Component component, String version, String since, String instead, String kinds) {
        return new Gone(component, version, words(kinds), Release.of(since), instead, false);
    }

    private static Gone same(Component component, String version, String since, String instead, String kinds) {
        return new Gone(component, version, words(kinds), Release.of(since), instead, true);
    }

    private static Set<String> words(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }

    @Override
    public void check(Document document, Observations seen) {
        var version = document.root().at("apiVersion");
        if (version == null) {
            return;
        }
        for (var gone : about(GONE, document)) {
            if (target.of(gone.component).compareTo(gone.since) >= 0) {
                seen.add(unserved(document, version, gone));
                return;
            }
        }
        for (var later : about(NOT_YET, document)) {
            if (target.of(later.component).compareTo(later.since) < 0) {
                seen.add(notYet(document, version, later));
                return;
            }
        }
        if (document.apiVersion().equals("tekton.dev/v1beta1") && RUN_KINDS.contains(document.kind())) {
            seen.add(
                    Rule.DEPRECATED_VERSION,
                    document.value(version),
                    "tekton.dev/v1beta1 of " + document.kind() + " is deprecated; servers keep it as v1",
                    "Write tekton.dev/v1; a few fields have other names there.");
        }
    }

    private static List<Gone> about(List<Gone> table, Document document) {
        var found = new ArrayList<Gone>();
        for (var row : table) {
            if (row.version.equals(document.apiVersion())
                    && (row.kinds.isEmpty() || row.kinds.contains(document.kind()))) {
                found.add(row);
            }
        }
        return found;
    }

    /// Whether another check need not look at the object, because no server will.
    boolean isServed(Document document) {
        return about(GONE, document).stream()
                .noneMatch(gone -> target.of(gone.component).compareTo(gone.since) >= 0);
    }

    /// What [Outdated] needs to know.
    void note(Document document, Observations seen) {
        var version = document.root().at("apiVersion");
        if (version == null) {
            return;
        }
        var group = document.group();
        var kind = document.kind();
        if (isServed(document)) {
            seen.served.addAll(List.of(document.apiVersion(), group + "/" + kind, kind + " " + document.name()));
            seen.kinds.merge(kind, 1, Integer::sum);
            Stream.of(document.apiVersion(), document.apiVersion() + " " + kind)
                    .map(SINCE::get)
                    .filter(Objects::nonNull)
                    .forEach(since ->
                            seen.addOldest(Outdated.folder(document.source().file()), since));
        } else {
            var gone = about(GONE, document).getFirst();
            var end = gone.component == Component.KUBERNETES && !target.named().contains(gone.component)
                    ? Optional.of(gone.since)
                    : Optional.<Release>empty();
            seen.unserved.put(document.value(version), new Outdated.Unserved(group, kind, document.name(), end));
        }
    }

    private Finding unserved(Document document, Located version, Gone gone) {
        var since = gone.since.equals(Release.of("0.0")) ? "no release serves it" : "gone since " + gone.since;
        var finding = Finding.of(
                Rule.UNSERVED_VERSION,
                document.value(version),
                gone.version + " " + document.kind() + " is not served by " + target.name(gone.component) + " (" + since
                        + ")",
                "Write " + gone.instead + ".");
        var judged = finding.at(level(document, gone));
        return gone.isSame ? judged.with(replacement(version, gone.instead)) : judged;
    }

    /// All releases of Kubernetes that are kept up are without it. Of other projects any may be on the cluster, as
    /// long as nobody says which.
    private Level level(Document document, Gone gone) {
        boolean isChosen = document.origin() != Document.Origin.PLAIN
                && document.source().text().contains(".Capabilities.");
        if (isChosen) {
            return Level.INFO;
        }
        boolean isSure = gone.component == Component.KUBERNETES
                || gone.since.equals(Release.of("0.0"))
                || target.named().contains(gone.component);
        return isSure ? Level.ERROR : Level.WARNING;
    }

    private Finding notYet(Document document, Located version, Gone later) {
        return Finding.of(
                Rule.UNSERVED_VERSION,
                document.value(version),
                later.version + " " + document.kind() + " is not served by " + target.name(later.component)
                        + " (first by " + later.since + ")",
                "Write " + later.instead + ".");
    }

    private static Edit replacement(Located version, String text) {
        return new Edit(
                version.start().line(), version.start().column(), version.end().column(), text);
    }
}
