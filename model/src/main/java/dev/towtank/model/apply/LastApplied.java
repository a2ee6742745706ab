package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.TreeMap;

/// The annotation in which kubectl keeps what it applied on the client's side.
///
/// Who changes from that to server-side apply must not conflict with its former self; and who goes back
/// must find the annotation as it would have been.
final class LastApplied {

    /// Only this owner is taken for the one who wrote the annotation.
    private static final String KUBECTL = "kubectl";

    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final List<String> PATH = List.of("metadata", "annotations", ANNOTATION);

    private LastApplied() {}

    /// What the annotation says and the object still has: taking it over harms nobody.
    static FieldSet allowed(Json.Obj live, Shape shape, Writer writer) {
        var text = live.string("metadata", "annotations", ANNOTATION);
        if (!writer.name().equals(KUBECTL) || text.isEmpty()) {
            return FieldSet.EMPTY;
        }
        try {
            var last = JsonText.parseObject(text);
            return last.string("apiVersion").equals(writer.apiVersion())
                    ? OwnedTrees.fields(last, shape)
                            .difference(Comparison.of(last, live, shape).all())
                    : FieldSet.EMPTY;
        } catch (JsonText.Malformed _) {
            return FieldSet.EMPTY;
        }
    }

    /// Keeps the annotation, where there is one, in step with what is applied now.
    static Json.Obj refreshed(Json.Obj object, Json.Obj applied, Writer writer) {
        if (!writer.name().equals(KUBECTL)
                || object.string("metadata", "annotations", ANNOTATION).isEmpty()) {
            return object;
        }
        var text = JsonText.write(sorted(applied.without(PATH))) + "\n";
        return object.with(PATH, Json.of(text));
    }

    private static Json sorted(Json value) {
        return switch (value) {
            case Json.Obj object -> {
                var fields = new TreeMap<String, Json>();
                object.forEach((key, inner) -> fields.put(key, sorted(inner)));
                yield Json.Obj.copyOf(fields);
            }
            case Json.Arr list -> list.map(LastApplied::sorted);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> value;
        };
    }
}
