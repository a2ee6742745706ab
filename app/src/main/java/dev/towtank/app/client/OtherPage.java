package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.Base64;
import java.util.List;

/// Any other object for people: what it has besides its metadata, as it is.
final class OtherPage {
    private static final List<String> TOLD = List.of("apiVersion", "kind", "metadata");

    private OtherPage() {}

    static void write(Page page, Json.Obj object) {
        page.head(object);
        for (var entry : object) {
            if (TOLD.contains(entry.getKey())) {
                continue;
            }
            var title = Character.toUpperCase(entry.getKey().charAt(0))
                    + entry.getKey().substring(1);
            switch (entry.getValue()) {
                case Json.Obj fields when fields.size() == 0 -> {}
                case Json.Obj fields -> page.section(title).lines(YamlText.write(fields.without("conditions")));
                case Json.Arr items -> page.section(title).lines(YamlText.write(items));
                case Json.Str(var text) -> page.section(title).lines(text);
                case Json.Bool _, Json.Int _, Json.Real _, Json.Null _ ->
                    page.section(title).lines(entry.getValue().toString());
            }
        }
        PodPage.conditions(page, object);
    }

    /// Names and sizes: a description is read by people who stand behind each other.
    static void writeSecret(Page page, Json.Obj secret) {
        page.head(secret);
        page.fact("Type", secret.string("type"));
        page.section("Data");
        secret.stringMap("data").forEach((key, value) -> page.fact(key, size(value) + " bytes"));
    }

    private static String size(String base64) {
        try {
            return String.valueOf(Base64.getDecoder().decode(base64).length);
        } catch (IllegalArgumentException e) {
            return "?";
        }
    }
}
