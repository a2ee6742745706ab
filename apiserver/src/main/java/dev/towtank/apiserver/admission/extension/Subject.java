package dev.towtank.apiserver.admission.extension;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request as webhooks and policies see it.
///
/// @param form the version of the API that the request was made in; the objects are of that version
/// @param namespace of a Namespace it is its own name
/// @param object what shall be, or null
/// @param old what is, or null
public record Subject(
        LogicalCluster cluster,
        Review.Operation operation,
        Form form,
        String subresource,
        String namespace,
        String name,
        Json.@Nullable Obj object,
        Json.@Nullable Obj old,
        User user,
        boolean dryRun,
        Json.Obj options) {

    private static final String GROUP = "admissionregistration.k8s.io";
    private static final Set<String> CONFIGURATION = Set.of(
            "MutatingWebhookConfiguration",
            "ValidatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding");

    /// Whether anybody is asked at all.
    ///
    /// Whoever can be refused by a broken configuration must be able to repair it. And a binding was asked about
    /// as a creation; what it does to the pod is no request of its own.
    public static boolean isAskedAbout(Review review) {
        boolean configuration = review.kind().group().equals(GROUP)
                && CONFIGURATION.contains(review.kind().kind());
        boolean binding = review.operation() == Review.Operation.UPDATE
                && review.subresource().equals("binding");
        return !configuration && !binding;
    }

    public static Subject of(Review review) {
        return of(review, review.object());
    }

    /// @param object the object as it is by now
    public static Subject of(Review review, Json.@Nullable Obj object) {
        var call = review.call();
        var target = call.target();
        var kind = review.kind();
        var scale = review.subresource().equals("scale") ? kind.scale() : Optional.<Kind.Scale>empty();
        var form = scale.isPresent()
                ? new Form(target.group(), target.version(), target.resource(), "autoscaling", "v1", "Scale")
                : new Form(
                        target.group(), target.version(), target.resource(), kind.group(), kind.version(), kind.kind());
        var old = review.old();
        boolean isNamespace = target.group().isEmpty() && target.resource().equals("namespaces");
        return new Subject(
                review.cluster(),
                review.operation(),
                form,
                review.subresource(),
                isNamespace ? review.name() : review.namespace(),
                review.name(),
                object == null || scale.isEmpty() ? object : scale.get().of(object),
                old == null || scale.isEmpty() ? old : scale.get().of(old),
                call.user(),
                call.isDryRun(),
                options(call, review.operation()));
    }

    private static Json.Obj options(Call call, Review.Operation operation) {
        var kind = switch (operation) {
            case CREATE -> "CreateOptions";
            case UPDATE -> call.verb() == Verb.PATCH ? "PatchOptions" : "UpdateOptions";
            case DELETE -> "DeleteOptions";
            case CONNECT -> "";
        };
        if (kind.isEmpty()) {
            return Json.Obj.EMPTY;
        }
        var options = Json.Obj.builder().put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        if (operation == Review.Operation.DELETE) {
            sent(call.body()).without("kind").without("apiVersion").forEach(options::put);
        }
        for (var name : List.of("fieldManager", "fieldValidation", "propagationPolicy")) {
            options.putNonEmpty(name, call.params().text(name));
        }
        call.params().number("gracePeriodSeconds").ifPresent(seconds -> options.put("gracePeriodSeconds", seconds));
        options.putNonEmpty("dryRun", Json.Arr.ofStrings(call.params().all("dryRun")));
        return options.build();
    }

    // Read again: whoever carries out the deletion has refused what is no JSON.
    private static Json.Obj sent(Body body) {
        return switch (body) {
            case Body.Tree(var _, Json.Obj tree) -> tree;
            case Body.Text text ->
                text.bytes().length > 0
                                && text.mediaType().endsWith("json")
                                && JsonText.parse(text.bytes()) instanceof Json.Obj json
                        ? json
                        : Json.Obj.EMPTY;
            case Body.Tree _, Body.None _ -> Json.Obj.EMPTY;
        };
    }

    boolean isNamespace() {
        return form.group().isEmpty() && form.resource().equals("namespaces");
    }

    /// The request in the words of `admission.k8s.io`, without the objects.
    ///
    /// @param shown the version in which it is shown
    public Json.Obj request(Form shown) {
        return Json.Obj.builder()
                .put("kind", shown.kindJson())
                .put("resource", shown.resourceJson())
                .putNonEmpty("subResource", subresource)
                .put("requestKind", form.kindJson())
                .put("requestResource", form.resourceJson())
                .putNonEmpty("requestSubResource", subresource)
                .putNonEmpty("name", name)
                .putNonEmpty("namespace", namespace)
                .put("operation", operation.name())
                .put("userInfo", user.info())
                .put("dryRun", dryRun)
                .put("options", options.size() == 0 ? Json.Null.NULL : options)
                .build();
    }

    /// A refusal as Kubernetes begins it: `pods "x" is forbidden: …`.
    public StatusError forbidden(String why) {
        return StatusError.forbidden(new GroupResource(form.group(), form.resource()), shownName(), why);
    }

    private String shownName() {
        var metadata = object == null ? Json.Obj.EMPTY : object.object("metadata");
        var names = new ArrayList<>(List.of(name, metadata.string("name"), metadata.string("generateName"), "Unknown"));
        names.removeIf(String::isEmpty);
        return names.getFirst();
    }
}
