package dev.towtank.app.lint.source;

import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// Trees without some of their parts, so that a check that stops at the first mistake can be asked again.
public final class Trees {

    private Trees() {}

    /// Without the value at a path; the same where there is none.
    public static Json.Obj without(Json.Obj object, Located located, String path) {
        var gone = Places.find(new Document(new SourceText("", ""), located, Document.Origin.PLAIN), path);
        var parts = parts();
        parts.add(gone.value());
        return gone.isThere() ? without(object, located, parts) : object;
    }

    /// A set of parts as such: two that look the same are two.
    public static Set<Located> parts() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    public static Json.Obj without(Json.Obj object, Located located, Set<Located> gone) {
        return without((Json) object, located, gone) instanceof Json.Obj fewer ? fewer : object;
    }

    // The tree may lack parts that its places still have.
    private static Json without(Json json, Located located, Set<Located> gone) {
        return switch (json) {
            case Json.Obj object -> {
                var result = Json.Obj.builder();
                object.forEach((key, value) -> {
                    var field = located.field(key);
                    if (field == null) {
                        result.put(key, value);
                    } else if (!gone.contains(field.value())) {
                        result.put(key, without(value, field.value(), gone));
                    }
                });
                yield result.build();
            }
            case Json.Arr list
            when list.size() == located.items().size() -> {
                var items = new ArrayList<Json>();
                for (int i = 0; i < list.size(); i++) {
                    items.add(without(list.get(i), located.items().get(i), gone));
                }
                yield new Json.Arr(items);
            }
            case Json.Arr _, Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }
}
