package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Places;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Kubernetes' own kinds: whether the API group has the kind, and whether a server would take the object.
///
/// @param versions tells what is not served and needs no further look
record BuiltinAdmission(ApiVersions versions) implements Check {

    /// Loads the kinds when one is needed.
    private static final class Kinds {
        static final Map<String, Kind<?>> BY_NAME = byName();
        static final Set<String> GROUPS =
                BY_NAME.values().stream().map(Kind::group).collect(Collectors.toUnmodifiableSet());

        private static Map<String, Kind<?>> byName() {
            var all = new HashMap<String, Kind<?>>();
            BuiltinKinds.ALL.forEach(kind -> all.put(kind.apiVersion() + " " + kind.kind(), kind));
            var definitions = CustomResourceDefinitions.KIND;
            all.put(definitions.apiVersion() + " " + definitions.kind(), definitions);
            return Map.copyOf(all);
        }
    }

    /// Groups whose kinds are all known, so that another name is a slip.
    private static final Map<String, Set<String>> COMPLETE = Map.of(
            "v1",
            Set.of(
                    "Binding",
                    "ComponentStatus",
                    "ConfigMap",
                    "Endpoints",
                    "Event",
                    "LimitRange",
                    "List",
                    "Namespace",
                    "Node",
                    "PersistentVolume",
                    "PersistentVolumeClaim",
                    "Pod",
                    "PodTemplate",
                    "ReplicationController",
                    "ResourceQuota",
                    "Secret",
                    "Service",
                    "ServiceAccount",
                    "Status"),
            "apps/v1",
            Set.of("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
            "batch/v1",
            Set.of("CronJob", "Job"),
            "rbac.authorization.k8s.io/v1",
            Set.of("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"),
            "tekton.dev/v1",
            Set.of("Task", "TaskRun", "Pipeline", "PipelineRun"),
            "tekton.dev/v1beta1",
            Set.of("Task", "TaskRun", "Pipeline", "PipelineRun", "StepAction", "CustomRun"),
            "external-secrets.io/v1",
            Set.of("ExternalSecret", "SecretStore", "ClusterSecretStore", "ClusterExternalSecret"));

    /// What objects of Kubernetes have at the top.
    private static final Set<String> TOP = Set.of(
            "apiVersion",
            "kind",
            "metadata",
            "spec",
            "status",
            "data",
            "binaryData",
            "stringData",
            "type",
            "immutable",
            "rules",
            "subjects",
            "roleRef",
            "secrets",
            "imagePullSecrets");

    /// Who was in Tekton's own group before Triggers had one, and is there still in services that know no other.
    private static final Set<String> OF_TRIGGERS =
            Set.of("EventListener", "Trigger", "TriggerBinding", "TriggerTemplate", "ClusterTriggerBinding");

    private static final Pattern TESTS = Pattern.compile("(^|/)tests?/");

    /// Versions in which a kind is often looked for in vain.
    private static final List<String> CORE_ELSEWHERE =
            List.of("apps/v1", "batch/v1", "rbac.authorization.k8s.io/v1", "networking.k8s.io/v1");

    /// Whether the group is one of Kubernetes' own.
    static boolean hasGroup(String group) {
        return Kinds.GROUPS.contains(group);
    }

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        var version = document.apiVersion();
        if (version.isEmpty() || document.kind().isEmpty()) {
            halfAnObject(document, seen);
            return;
        }
        var kinds = COMPLETE.getOrDefault(version, Set.of());
        if (!kinds.isEmpty() && !kinds.contains(document.kind()) && versions.isServed(document)) {
            unknownKind(document, kinds, seen);
            return;
        }
        var kind = Kinds.BY_NAME.get(version + " " + document.kind());
        if (kind != null) {
            new ObjectAdmission(document, kind, seen).check();
        }
    }

    private static void halfAnObject(Document document, Observations seen) {
        var root = document.root();
        boolean isMeantAsOne = (root.field("metadata") != null || root.field("spec") != null)
                && (root.field("apiVersion") != null || root.field("kind") != null)
                // Other tools have versions, too, such as 1.0.0, and fields of their own.
                && !document.apiVersion().matches("\\d.*")
                && TOP.containsAll(root.fields().keySet());
        if (isMeantAsOne) {
            var missing = document.kind().isEmpty() ? "kind" : "apiVersion";
            var finding = Finding.of(
                    Rule.NO_KIND,
                    document.place(root.start(), root.start()),
                    "an object without " + missing,
                    "Add '" + missing + ":' to it.");
            seen.add(document.isPart() ? finding.at(Level.INFO) : finding);
        }
    }

    private static void unknownKind(Document document, Set<String> kinds, Observations seen) {
        var found = Places.find(document, "kind").value(document);
        var message = document.apiVersion() + " has no kind " + document.kind();
        if (document.isTekton() && OF_TRIGGERS.contains(document.kind())) {
            seen.add(Finding.of(Rule.UNKNOWN_KIND, found, message, "It is in triggers.tekton.dev/v1beta1.")
                    .at(document.source().file().contains(".tekton/") ? Level.INFO : Level.WARNING));
            return;
        }
        var elsewhere = CORE_ELSEWHERE.stream()
                .filter(version -> Kinds.BY_NAME.containsKey(version + " " + document.kind()))
                .findFirst();
        var advice = elsewhere
                .map(version -> "It is in " + version + ".")
                .or(() -> Similar.to(document.kind(), kinds).map(each -> "Did you mean " + each + "?"));
        // The core group's version is also that of files for clients, such as a kubeconfig.
        if (advice.isPresent() || !document.apiVersion().equals("v1")) {
            var finding = Finding.of(Rule.UNKNOWN_KIND, found, message, advice.orElse(""));
            // Tests of policies make up kinds.
            boolean isMadeUp =
                    advice.isEmpty() && TESTS.matcher(document.source().file()).find();
            seen.add(isMadeUp ? finding.at(Level.INFO) : finding);
        }
    }
}
