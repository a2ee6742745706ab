package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.admission.policy.Binding.ParamRef;
import dev.towtank.apiserver.admission.policy.Policy.ParamKind;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;

/// Finds the objects that policies take their parameters from.
final class Parameters {

    private final Store store;
    private final Catalog catalog;

    Parameters(Store store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /// A policy or binding asks for what cannot be had.
    static final class Misconfigured extends Exception {
        private static final long serialVersionUID = 1;

        Misconfigured(String why) {
            super(why, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    Served served(LogicalCluster cluster, ParamKind kind) throws Misconfigured {
        return find(cluster, kind)
                .orElseThrow(
                        () -> new Misconfigured("failed to find resource referenced by paramKind: '" + kind + "'"));
    }

    Optional<Served> find(LogicalCluster cluster, ParamKind kind) {
        return catalog.served(cluster).stream()
                .filter(served -> served.kind().group().equals(kind.group())
                        && served.kind().version().equals(kind.version())
                        && served.kind().kind().equals(kind.kind()))
                .findFirst();
    }

    /// @param namespace of the request
    List<Json.Obj> collect(LogicalCluster cluster, Served served, ParamRef reference, String namespace)
            throws Misconfigured {
        var found = read(cluster, served, reference, place(served, reference, namespace));
        if (found.isEmpty() && reference.required()) {
            throw new Misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        return found;
    }

    private static String place(Served served, ParamRef reference, String namespace) throws Misconfigured {
        if (!served.kind().isNamespaced()) {
            if (!reference.namespace().isEmpty()) {
                throw new Misconfigured("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
            }
            return "";
        }
        var place = reference.namespace().isEmpty() ? namespace : reference.namespace();
        if (place.isEmpty()) {
            throw new Misconfigured(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
        }
        return place;
    }

    private List<Json.Obj> read(LogicalCluster cluster, Served served, ParamRef reference, String place) {
        if (!reference.name().isEmpty()) {
            var found = store.get(new Key(served.storage(), cluster, place, reference.name()));
            return found == null ? List.of() : List.of(view(served, found));
        }
        var range = place.isEmpty() ? Range.of(served.storage(), cluster) : Range.of(served.storage(), cluster, place);
        return store.list(range, 0, null, 0).items().stream()
                .map(stored -> view(served, stored))
                .filter(reference.selector()::matches)
                .toList();
    }

    private static Json.Obj view(Served served, Stored stored) {
        return served.conversion().fromStored(stored.tree());
    }
}
