package dev.towtank.apiserver.catalog;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.ClusterSnapshots;
import dev.towtank.model.kinds.LogicalClusters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The kinds that every logical cluster has.
public final class BuiltinCatalog implements Catalog {

    private static final GroupResource EVENTS = new GroupResource("", "events");
    private static final GroupResource AUTOSCALERS = new GroupResource("autoscaling", "horizontalpodautoscalers");
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    /// What is posted and never stored: a binding, and questions.
    private static final List<Kind<Json.Obj>> REVIEWS = List.of(
            Kind.namespaced("", "v1", "Binding", "bindings"),
            Kind.clusterScoped("authentication.k8s.io", "v1", "TokenReview", "tokenreviews"),
            Kind.clusterScoped("authentication.k8s.io", "v1", "SelfSubjectReview", "selfsubjectreviews"),
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews"),
            Kind.clusterScoped("authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews"),
            Kind.clusterScoped("authorization.k8s.io", "v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews"),
            Kind.namespaced("authorization.k8s.io", "v1", "LocalSubjectAccessReview", "localsubjectaccessreviews"));

    private final List<Served> everywhere;
    private final List<Served> inDefault;
    private final Map<String, Served> byResource = new HashMap<>();

    public BuiltinCatalog() {
        everywhere = List.copyOf(kinds());
        var all = new ArrayList<>(everywhere);
        all.add(Served.asStored(LogicalClusters.KIND));
        all.add(Served.asStored(ClusterSnapshots.KIND));
        inDefault = List.copyOf(all);
        inDefault.forEach(served -> byResource.put(address(served.kind()), served));
    }

    private static List<Served> kinds() {
        var all = new ArrayList<Served>();
        all.add(Served.view(ViewedKinds.API_SERVICE));
        for (var kind : BuiltinKinds.ALL) {
            all.add(served(kind));
        }
        all.add(Served.asStored(CustomResourceDefinitions.KIND));
        REVIEWS.forEach(kind -> all.add(Served.review(kind)));
        ViewedKinds.METRICS.forEach(kind -> all.add(Served.view(kind)));
        return all;
    }

    private static Served served(Kind<?> kind) {
        if (kind.plural().equals(EVENTS.resource())) {
            return inTwoForms(kind, EVENTS, TwoForms.EVENTS);
        }
        if (kind.resource().equals(AUTOSCALERS)) {
            return inTwoForms(kind, AUTOSCALERS, TwoForms.AUTOSCALERS);
        }
        var served = Served.asStored(kind);
        // Namespaces go one by one, so that a slip does not take them all.
        return kind.resource().equals(NAMESPACES)
                ? new Served(
                        kind,
                        NAMESPACES,
                        served.conversion(),
                        EnumSet.complementOf(EnumSet.of(Verb.DELETECOLLECTION)),
                        served.versions())
                : served;
    }

    private static Served inTwoForms(Kind<?> kind, GroupResource storage, TwoForms forms) {
        return new Served(kind, storage, forms.conversion(kind), EnumSet.allOf(Verb.class), forms);
    }

    private static String address(Kind<?> kind) {
        return kind.apiVersion() + "/" + kind.plural();
    }

    @Override
    public List<Served> served(LogicalCluster cluster) {
        return cluster.equals(LogicalCluster.DEFAULT) ? inDefault : everywhere;
    }

    @Override
    public Optional<Served> find(LogicalCluster cluster, String group, String version, String resource) {
        var found = byResource.get((group.isEmpty() ? version : group + "/" + version) + "/" + resource);
        return Optional.ofNullable(found).filter(served -> isServedIn(cluster, served));
    }

    private static boolean isServedIn(LogicalCluster cluster, Served served) {
        return cluster.equals(LogicalCluster.DEFAULT)
                || cluster.equals(LogicalCluster.ALL)
                || (!served.kind().equals(LogicalClusters.KIND)
                        && !served.kind().equals(ClusterSnapshots.KIND));
    }

    @Override
    public Optional<Served> findKind(LogicalCluster cluster, String group, String kind) {
        return served(cluster).stream()
                .filter(served -> served.kind().group().equals(group)
                        && served.kind().kind().equals(kind))
                .findFirst();
    }
}
