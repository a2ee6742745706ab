package dev.towtank.model.crd;

import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import java.util.List;
import java.util.Locale;

/// The names of a kind, wanted or accepted.
final class NameChecks {

    private NameChecks() {}

    static void check(Field names) {
        for (var name : List.of("plural", "singular")) {
            label(names.at(name));
        }
        for (var name : List.of("kind", "listKind")) {
            var field = names.at(name);
            var problems = Names.dns1035Label(field.text().toLowerCase(Locale.ROOT));
            if (!field.isEmpty() && !problems.isEmpty()) {
                field.invalid("may have mixed case, but should otherwise match: " + String.join(",", problems));
            }
        }
        names.at("shortNames").each(NameChecks::label);
        var kind = names.at("kind");
        if (!kind.isEmpty() && kind.text().equals(names.at("listKind").text())) {
            names.at("listKind").invalid("kind and listKind may not be the same");
        }
        names.at("categories").each(NameChecks::label);
    }

    private static void label(Field field) {
        var problems = Names.dns1035Label(field.text());
        if (!field.isEmpty() && !problems.isEmpty()) {
            field.invalid(String.join(",", problems));
        }
    }
}
