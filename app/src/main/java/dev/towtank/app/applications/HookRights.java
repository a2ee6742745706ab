package dev.towtank.app.applications;

import dev.towtank.app.applications.foresight.PodTemplate;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Whether the ServiceAccounts of pods may do what their scripts will try.
public final class HookRights {

    private static final Kind<Json.Obj> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");

    private final Cluster cluster;
    private final LogicalCluster place;
    private final Map<String, Named> resources = new HashMap<>();

    private record Named(String group, String plural) {}

    /// @param place where the objects would be
    public HookRights(Cluster cluster, LogicalCluster place) {
        this.cluster = cluster;
        this.place = place;
        for (var kind : BuiltinKinds.ALL) {
            know(
                    kind.group(),
                    kind.names().plural(),
                    kind.names().singular(),
                    kind.names().shortNames());
        }
        for (var each : cluster.list(CustomResourceDefinitions.KIND, Selection.in(place))
                .items()) {
            var names = each.spec().object("names");
            know(
                    each.spec().string("group"),
                    names.string("plural"),
                    names.string("singular"),
                    names.array("shortNames").strings());
        }
        // Served by nobody here, and asked for by many hooks.
        know("image.openshift.io", "imagestreamtags", "imagestreamtag", List.of("istag"));
        know("image.openshift.io", "imagestreams", "imagestream", List.of("is"));
        know("build.openshift.io", "builds", "build", List.of());
        know("build.openshift.io", "buildconfigs", "buildconfig", List.of("bc"));
    }

    private void know(String group, String plural, String singular, List<String> others) {
        var named = new Named(group, plural);
        Stream.concat(Stream.of(plural, singular), others.stream()).forEach(word -> {
            resources.putIfAbsent(word, named);
            resources.putIfAbsent(word + "." + group, named);
        });
    }

    /// What an object's pods lack, for people: whose right, and the rule to add.
    ///
    /// @param object of any kind that has pods, with its namespace
    public Optional<String> lacking(Json.Obj object) {
        var key = ResourceKey.of(object);
        var account = account(object);
        var missing = new LinkedHashMap<Named, Set<String>>();
        for (var need : HookCommands.of(object)) {
            var known = resources.get(need.resource());
            var namespace = need.namespace().isEmpty() ? key.namespace() : need.namespace();
            if (known != null && !isAllowed(key.namespace(), account, need, known, namespace)) {
                var named = need.subresource().isEmpty()
                        ? known
                        : new Named(known.group(), known.plural() + "/" + need.subresource());
                missing.computeIfAbsent(named, _ -> new LinkedHashSet<>()).add(need.verb());
            }
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(told(key, account, missing));
    }

    private static String account(Json.Obj object) {
        var name = PodTemplate.of(object).string("serviceAccountName");
        return name.isEmpty() ? "default" : name;
    }

    private static String told(ResourceKey key, String account, Map<Named, Set<String>> missing) {
        var rules = new ArrayList<String>();
        var first = missing.entrySet().iterator().next();
        missing.forEach((what, verbs) -> rules.add("{apiGroups: [\"%s\"], resources: [%s], verbs: [%s]}"
                .formatted(what.group(), what.plural(), String.join(", ", verbs))));
        return "%s %s will be refused: serviceaccount %s/%s cannot %s %s%s. Add to a Role that is bound to it: %s"
                .formatted(
                        key.kind(),
                        key.name(),
                        key.namespace(),
                        account,
                        String.join(", ", first.getValue()),
                        first.getKey().plural(),
                        first.getKey().group().isEmpty()
                                ? ""
                                : "." + first.getKey().group(),
                        String.join(", ", rules));
    }

    private boolean isAllowed(String home, String account, HookCommands.Need need, Named what, String namespace) {
        var attributes = Json.Obj.builder()
                .put("namespace", namespace)
                .put("verb", need.verb())
                .put("group", what.group())
                .put("resource", what.plural())
                .putNonEmpty("subresource", need.subresource())
                .build();
        var spec = Json.Obj.of(
                "resourceAttributes",
                attributes,
                "user",
                Json.of("system:serviceaccount:" + home + ":" + account),
                "groups",
                Json.Arr.ofStrings(
                        List.of("system:serviceaccounts", "system:serviceaccounts:" + home, "system:authenticated")));
        var question =
                Json.Obj.of("apiVersion", Json.of(REVIEW.apiVersion()), "kind", Json.of(REVIEW.kind()), "spec", spec);
        return cluster.create(REVIEW, new Resource(place, question), Cluster.WriteOptions.DEFAULT)
                .status()
                .flag("allowed");
    }
}
