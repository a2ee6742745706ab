package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Pruning;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.protobuf.ProtobufReader;
import dev.towtank.model.wording.GoJson;
import java.util.List;
import java.util.Optional;

/// The options in the body of a deletion. A body that was meant for another request deletes nothing.
final class DeleteOptions {

    private static final List<String> MEDIA_TYPES =
            List.of("application/json", "application/yaml", ProtobufReader.MEDIA_TYPE);
    private static final String NO_VERSION = "couldn't get version/kind; json parse error: ";

    private DeleteOptions() {}

    /// The options, whatever version of whatever group they say they are of.
    ///
    /// @return empty where there is no body
    /// @throws StatusError BadRequest for anything else
    static Optional<Json.Obj> in(Call call) {
        if (Decoder.isEmpty(call.body())) {
            return Optional.empty();
        }
        return switch (tree(call.body())) {
            case Json.Obj options -> Optional.of(typed(options));
            case Json.Null _ -> Optional.of(Json.Obj.EMPTY);
            case Json other -> throw StatusError.badRequest(NO_VERSION + Decoder.notAnObject(other));
        };
    }

    private static Json tree(Body body) {
        return switch (body) {
            case Body.None _ -> Json.Obj.EMPTY;
            case Body.Tree(var _, var json) -> json;
            case Body.Text text -> tree(text);
        };
    }

    private static Json tree(Body.Text text) {
        if (!MEDIA_TYPES.contains(text.mediaType())) {
            throw new StatusError(
                    StatusError.Reason.UNSUPPORTED_MEDIA_TYPE,
                    "the body of the request was in an unknown format - accepted media types include: "
                            + String.join(", ", MEDIA_TYPES));
        }
        try {
            return Decoder.json(text);
        } catch (JsonText.Malformed e) {
            var isYaml = text.mediaType().endsWith("yaml");
            var why = isYaml ? Optional.<String>empty() : GoJson.problem(text.bytes());
            throw StatusError.badRequest(NO_VERSION + why.orElse(String.valueOf(e.getMessage())));
        }
    }

    private static Json.Obj typed(Json.Obj options) {
        var kind = options.string("kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw StatusError.badRequest("no kind \"" + kind + "\" is registered for version \""
                    + options.string("apiVersion")
                    + "\" in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"");
        }
        try {
            return Pruning.prune(options, type(), _ -> {});
        } catch (Pruning.Mismatch e) {
            throw StatusError.badRequest(e.text());
        }
    }

    private static Schema.Type type() {
        return Schemas.builtin()
                .find("v1", "DeleteOptions")
                .orElseThrow(() -> new IllegalStateException("the built-in types have no DeleteOptions"));
    }
}
