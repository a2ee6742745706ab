package dev.towtank.controllers.gitops;

import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.ProjectGlobs;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the applications of a project may do.
record Project(String name, Json.Obj spec) {

    private static final List<String> NOT_SERVED =
            List.of("destinationServiceAccounts", "signatureKeys", "orphanedResources");

    /// Why an application may not be as it is; for people.
    List<String> objections(ObjectName application, Destination destination, List<Json.Obj> sources) {
        var objections = new ArrayList<String>();
        for (var field : NOT_SERVED) {
            if (spec.has(field) && !isEmpty(field)) {
                objections.add("project '" + name + "' has spec." + field + ", which is not served");
            }
        }
        SyncWindows.problems(spec).forEach(why -> objections.add("project '" + name + "' has a sync window: " + why));
        if (spec.flag("permitOnlyProjectScopedClusters") && !destination.scope().equals(name)) {
            objections.add(
                    "project '" + name + "' permits its own clusters only, and the destination '" + destination.server()
                            + "' is none of them: no cluster Secret with that server has project: " + name);
        }
        if (!application.namespace().equals(GitOpsKinds.NAMESPACE)
                && strings("sourceNamespaces").noneMatch(each -> ProjectGlobs.matches(each, application.namespace()))) {
            objections.add("application '" + application.name() + "' in namespace '" + application.namespace()
                    + "' is not permitted to use project '" + name + "'");
        }
        for (var source : sources) {
            if (!isPermitted(strings("sourceRepos").toList(), source.string("repoURL"))) {
                objections.add(
                        "application repo " + source.string("repoURL") + " is not permitted in project '" + name + "'");
            }
        }
        if (!reaches(destination, destination.namespace())) {
            objections.add("application destination server '" + destination.server() + "' and namespace '"
                    + destination.namespace() + "' do not match any of the allowed destinations in project '"
                    + name + "'");
        }
        return objections;
    }

    /// What has no effect here; for people.
    List<String> warnings() {
        return spec.objects("roles").isEmpty()
                ? List.of()
                : List.of("the roles of project '" + name
                        + "' are about logins at Argo CD's own API, which is not served:"
                        + " who may do what with Applications is up to Roles of Kubernetes");
    }

    private boolean isEmpty(String field) {
        return spec.get(field) instanceof Json.Arr list && list.size() == 0;
    }

    private Stream<String> strings(String field) {
        return spec.array(field).strings().stream();
    }

    /// One that begins with `!` takes away what others give.
    private static boolean isPermitted(List<String> patterns, String text) {
        return patterns.stream()
                        .noneMatch(each -> each.startsWith("!") && ProjectGlobs.matches(each.substring(1), text))
                && patterns.stream().anyMatch(each -> !each.startsWith("!") && ProjectGlobs.matches(each, text));
    }

    /// One with a `!` in front takes away what others give.
    private boolean reaches(Destination destination, String namespace) {
        boolean isGiven = false;
        for (var each : spec.objects("destinations")) {
            boolean isDenial = each.string("server").startsWith("!")
                    || each.string("namespace").startsWith("!");
            boolean isMeant = ProjectGlobs.matches(bare(each, "namespace"), namespace)
                    && (ProjectGlobs.matches(bare(each, "server"), destination.server())
                            || (!destination.name().isEmpty()
                                    && ProjectGlobs.matches(each.string("name"), destination.name())));
            if (isMeant && isDenial) {
                return false;
            }
            isGiven |= isMeant;
        }
        return isGiven;
    }

    private static String bare(Json.Obj rule, String field) {
        var text = rule.string(field);
        return text.startsWith("!") ? text.substring(1) : text;
    }

    /// Why an object may not be synced.
    Optional<String> objection(ResourceKey key, Destination destination) {
        boolean isNamespaced = !key.namespace().isEmpty();
        boolean isPermitted = isNamespaced
                ? (!spec.has("namespaceResourceWhitelist") || lists("namespaceResourceWhitelist", key))
                        && !lists("namespaceResourceBlacklist", key)
                : lists("clusterResourceWhitelist", key) && !lists("clusterResourceBlacklist", key);
        if (!isPermitted) {
            return Optional.of("resource " + key.group() + ":" + key.kind() + " is not permitted in project " + name);
        }
        return isNamespaced && !reaches(destination, key.namespace())
                ? Optional.of("namespace " + key.namespace() + " is not permitted in project '" + name + "'")
                : Optional.empty();
    }

    private boolean lists(String field, ResourceKey key) {
        return spec.objects(field).stream()
                .anyMatch(each -> ProjectGlobs.matches(each.string("group"), key.group())
                        && ProjectGlobs.matches(each.string("kind"), key.kind())
                        && (each.string("name").isEmpty() || ProjectGlobs.matches(each.string("name"), key.name())));
    }
}
