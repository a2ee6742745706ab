package dev.towtank.app.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What `kubectl explain` says of the kinds that come with features is about fields that they have.
class ExplainedKindsTest {

    @Test
    void everyFieldThatIsExplainedIsThere() throws IOException {
        var missing = new ArrayList<String>();
        List<Json.Obj> open = List.of();
        for (var line : text().lines().toList()) {
            if (line.startsWith("[")) {
                open = line.startsWith("[io.k8s.") ? List.of() : schemas(line);
            } else if (line.contains(": ") && !line.startsWith("#") && !line.startsWith(".")) {
                var path = line.substring(0, line.indexOf(": "));
                open.stream().filter(schema -> !has(schema, path)).forEach(_ -> missing.add(path));
            }
        }
        assertThat(missing).isEmpty();
    }

    private static String text() throws IOException {
        try (var in = Json.class.getResourceAsStream("openapi/descriptions.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
        }
    }

    private static List<Json.Obj> schemas(String header) {
        var found = new ArrayList<Json.Obj>();
        for (var name : header.substring(1, header.length() - 1).split(" ", -1)) {
            var parts = List.of(name.split("\\.", -1));
            var group = String.join(".", parts.subList(0, parts.size() - 2).reversed());
            var definition = Features.definitions().stream()
                    .filter(each -> each.string("kind").equals("CustomResourceDefinition"))
                    .filter(each -> each.string("spec", "group").equals(group)
                            && each.string("spec", "names", "kind").equals(parts.getLast()))
                    .findFirst();
            assertThat(definition).as(name).isPresent();
            definition.get().objects("spec", "versions").stream()
                    .filter(version -> version.string("name").equals(parts.get(parts.size() - 2)))
                    .forEach(version -> found.add(version.object("schema", "openAPIV3Schema")));
        }
        return found;
    }

    private static boolean has(Json.Obj schema, String path) {
        var here = schema;
        for (var step : Arrays.asList(path.split("\\.", -1))) {
            here = here.has("items") ? here.object("items") : here;
            if (!here.object("properties").has(step)) {
                return false;
            }
            here = here.object("properties", step);
        }
        return true;
    }
}
