package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Set;

/// Nothing is created in a namespace that does not exist or is going away, and some namespaces never go away.
///
/// The namespace is looked at again at the moment of the commit, so nothing slips in behind its deletion.
public final class NamespaceLifecycle implements Admission {

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private final Store store;

    public NamespaceLifecycle(Store store) {
        this.store = store;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (createsInNamespace(review)) {
            requireActive(review);
        }
        return object;
    }

    @Override
    public void check(Review review) {
        if (review.operation() == Review.Operation.DELETE
                && review.isKind("", "Namespace")
                && IMMORTAL.contains(review.name())) {
            throw review.forbidden("this namespace may not be deleted");
        }
    }

    @Override
    public List<Write> alongside(Review review) {
        if (!createsInNamespace(review)) {
            return List.of();
        }
        var namespace = requireActive(review);
        return List.of(new Write.Check(namespace.key(), namespace.revision()));
    }

    private static boolean createsInNamespace(Review review) {
        return review.operation() == Review.Operation.CREATE
                && review.kind().isNamespaced()
                && !review.namespace().isEmpty();
    }

    private Stored requireActive(Review review) {
        var name = review.namespace();
        var namespace = store.get(new Key(NAMESPACES, review.cluster(), "", name));
        if (namespace == null) {
            throw StatusError.notFound(NAMESPACES, name);
        }
        var tree = namespace.tree();
        if (tree.string("status", "phase").equals("Terminating")
                || tree.at("metadata", "deletionTimestamp") instanceof Json.Str) {
            throw terminating(review, name);
        }
        return namespace;
    }

    private static StatusError terminating(Review review, String name) {
        var refusal = review.forbidden(
                "unable to create new content in namespace " + name + " because it is being terminated");
        var cause = Json.Obj.of(
                "reason", Json.of("NamespaceTerminating"),
                "message", Json.of("namespace " + name + " is being terminated"),
                "field", Json.of("metadata.namespace"));
        return new StatusError(
                refusal.reason(), refusal.text(), refusal.details().with("causes", Json.Arr.of(cause)));
    }
}
