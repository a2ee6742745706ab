package dev.towtank.model.crd.schema;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A simple JSON path such as `.spec.color` or `.spec['my-map'].key`, followed through a schema.
///
/// @param keys the steps, empty where the path leads nowhere
/// @param target the schema it leads to
/// @param problem why it leads nowhere, or empty
public record FieldPath(
        List<String> keys, String text, @Nullable StructuralSchema target, String problem) {

    public static FieldPath resolve(String path, StructuralSchema schema, boolean brackets) {
        return new Walk(schema, brackets).resolve(tokens(path));
    }

    private static FieldPath wrong(String problem) {
        return new FieldPath(List.of(), "", null, problem);
    }

    private static List<String> tokens(String path) {
        var tokens = new ArrayList<String>();
        int i = 0;
        while (i < path.length()) {
            int start = i++;
            if (path.charAt(start) == '\'') {
                while (i < path.length() && (path.charAt(i) != '\'' || path.charAt(i - 1) == '\\')) {
                    i++;
                }
                i = Math.min(i + 1, path.length());
            } else if (".[]".indexOf(path.charAt(start)) < 0) {
                while (i < path.length() && ".[]".indexOf(path.charAt(i)) < 0) {
                    i++;
                }
            }
            tokens.add(path.substring(start, i));
        }
        return tokens;
    }

    private static final class Walk {
        private final boolean brackets;
        private final List<String> keys = new ArrayList<>();
        private Location at = Location.ROOT;
        private @Nullable StructuralSchema schema;

        Walk(StructuralSchema schema, boolean brackets) {
            this.schema = schema;
            this.brackets = brackets;
        }

        FieldPath resolve(List<String> tokens) {
            for (int i = 0; i < tokens.size(); i++) {
                var problem = "";
                switch (tokens.get(i)) {
                    case "." -> problem = ++i < tokens.size() ? step(tokens.get(i)) : "unexpected end of JSON path";
                    case "[" -> {
                        problem = brackets ? bracket(tokens, i) : "array notation is not allowed";
                        i += 2;
                    }
                    default -> problem = "expected [ or . but got: " + tokens.get(i);
                }
                if (!problem.isEmpty()) {
                    return wrong(problem);
                }
            }
            return new FieldPath(List.copyOf(keys), at.text(), schema, "");
        }

        private String bracket(List<String> tokens, int open) {
            if (open + 2 >= tokens.size()) {
                return "unexpected end of JSON path";
            }
            var quoted = tokens.get(open + 1);
            if (quoted.length() < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
                return "expected single quoted string but got " + quoted;
            }
            if (!tokens.get(open + 2).equals("]")) {
                return "expected ] but got " + tokens.get(open + 2);
            }
            return step(
                    quoted.substring(1, quoted.length() - 1).replace("\\'", "'").replace("\\\\", "\\"));
        }

        private String step(String name) {
            var here = schema;
            if (here == null
                    || (here.properties().isEmpty() && !here.additional().present())) {
                return "does not refer to a valid field";
            }
            keys.add(name);
            if (here.properties().isEmpty()) {
                at = at.key(name);
                schema = here.additional().schema();
                return "";
            }
            at = at.child(name);
            schema = here.properties().get(name);
            return schema == null ? "does not refer to a valid field" : "";
        }
    }
}
