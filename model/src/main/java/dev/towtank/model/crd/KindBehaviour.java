package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the authors of a custom kind do in webhooks, as pure functions: it goes with every definition of that group
/// and kind, in whichever logical cluster and version.
///
/// The order on a write is: prune by the schema, [#prune], default by the schema, [#defaults], prepare, [#unreadable],
/// validate by the schema, [#refusal].
/// Every method has a harmless default, so a behaviour names only what is special about the kind. For a built-in kind
/// only [#refusal] counts.
public interface KindBehaviour {

    String group();

    String kind();

    /// Which names its objects may have.
    default Names.Rule nameRule() {
        return Names.Rule.DNS_SUBDOMAIN;
    }

    /// Drops what the schema leaves open and the kind does not have.
    ///
    /// @param unknownField is told the path of each field that goes
    default Json.Obj prune(Json.Obj object, Consumer<String> unknownField) {
        return object;
    }

    /// Fills in what the user left out; `apiVersion` says which version the object is in. Doing it twice changes
    /// nothing more.
    default Json.Obj defaults(Json.Obj object) {
        return object;
    }

    /// Takes away what only others may put on a new object; before [#defaults].
    default Json.Obj prepareCreate(Json.Obj object) {
        return object;
    }

    /// Brings a changed object into its stored form, before admission and validation.
    ///
    /// @param old what is stored, in the version of `object`
    default Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
        return object;
    }

    /// Why the object, with its defaults, cannot be read as one of its kind: a mutating webhook stumbles over that
    /// before
    /// the schema is asked.
    default Optional<StatusError> unreadable(Json.Obj object) {
        return Optional.empty();
    }

    /// Why the server does not take an object that its schema allows; see [#denied] for the usual form.
    ///
    /// @param old what is stored, in the version of `object`, or null where the object is new
    default Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        return Optional.empty();
    }

    /// Advice that a client shows and ignores.
    default List<String> warnings(Json.Obj object) {
        return List.of();
    }

    /// How versions of the kind become each other, where they differ in more than their name. Goes before whatever
    /// the definition says about conversion.
    default Optional<Converter> converter() {
        return Optional.empty();
    }

    @FunctionalInterface
    interface Converter {
        /// The object in another version; the server sets `apiVersion` and keeps the identity in its metadata.
        ///
        /// @param from the version that the object is in, without its group: `v1beta1`
        /// @param to the wanted version, never the same
        /// @throws StatusError where it cannot be said in that version
        Json.Obj convert(Json.Obj object, String from, String to);
    }

    /// The refusal that clients of a validating webhook see.
    ///
    /// @param webhook such as `validation.webhook.pipeline.tekton.dev`
    static StatusError denied(String webhook, String why) {
        return StatusError.badRequest("admission webhook " + Json.of(webhook) + " denied the request"
                + (why.isEmpty() ? " without explanation" : ": " + why));
    }
}
