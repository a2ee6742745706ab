package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// Reads what stands behind `as`.
final class Patterns {

    private final ExpressionText source;
    private final JqParser parser;
    private final Terms terms;

    Patterns(ExpressionText source, JqParser parser, Terms terms) {
        this.source = source;
        this.parser = parser;
        this.terms = terms;
    }

    /// Puts the names into the scope.
    Pattern read() {
        var names = new ArrayList<String>();
        var alternatives = new ArrayList<Pattern.Part>();
        do {
            alternatives.add(part(names));
        } while (source.accept("?//"));
        var different = names.stream().distinct().toList();
        different.forEach(name -> parser.scope = parser.scope.with("$" + name));
        return new Pattern(different, List.copyOf(alternatives));
    }

    private Pattern.Part part(List<String> names) {
        if (source.accept("[")) {
            var parts = new ArrayList<Pattern.Part>();
            do {
                parts.add(part(names));
            } while (source.accept(","));
            source.expect("]");
            return new Pattern.Part.Items(List.copyOf(parts));
        }
        if (source.accept("{")) {
            var fields = new ArrayList<Pattern.Part.Field>();
            do {
                fields.add(field(names));
            } while (source.accept(","));
            source.expect("}");
            return new Pattern.Part.Fields(List.copyOf(fields));
        }
        source.expect("$");
        names.add(source.name());
        return new Pattern.Part.Name(names.getLast());
    }

    private Pattern.Part.Field field(List<String> names) {
        if (source.accept("$")) {
            var name = source.name();
            names.add(name);
            var part = source.accept(":") ? part(names) : null;
            return new Pattern.Part.Field(Filter.constant(Json.of(name)), name, part);
        }
        var key = terms.key(source.peek());
        source.expect(":");
        return new Pattern.Part.Field(key, null, part(names));
    }
}
