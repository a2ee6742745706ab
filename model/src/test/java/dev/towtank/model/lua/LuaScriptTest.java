package dev.towtank.model.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Scripts in files, each with what it gives or how it fails.
class LuaScriptTest {

    private static final Instant NOW = Instant.parse("2026-03-04T15:06:07Z");
    private static final List<String> FILES =
            List.of("language.yaml", "libraries.yaml", "strings.yaml", "json.yaml", "errors.yaml", "hostile.yaml");

    @TestFactory
    Stream<DynamicTest> scripts() {
        return FILES.stream()
                .flatMap(file -> cases(file).stream()
                        .map(test -> dynamicTest(file + ": " + test.string("name"), () -> check(test))));
    }

    @Test
    void runsShareNothing() {
        var script = LuaScript.compile("<string>", "count = (count or 0) + 1; string.count = count; return {count}");
        script.call(Map.of(), NOW);
        assertEquals(Json.Arr.of(Json.of(1)), script.call(Map.of(), NOW));
    }

    private static List<Json.Obj> cases(String file) {
        try (var stream = LuaScriptTest.class.getResourceAsStream("/lua/" + file)) {
            return ((Json.Arr) YamlText.parse(stream.readAllBytes())).objects();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Json run(Json.Obj test) {
        var globals = new TreeMap<String, Json>();
        test.object("globals").forEach(globals::put);
        var libraries = test.flag("restricted") ? Libraries.RESTRICTED : Libraries.OPEN;
        return LuaScript.compile("<string>", test.string("script")).call(globals, libraries, Limits.DEFAULT, NOW);
    }

    private static void check(Json.Obj test) {
        if (test.has("fails")) {
            assertEquals(
                    test.string("fails"),
                    assertThrows(LuaError.class, () -> run(test)).getMessage());
        } else if (test.has("failsWith")) {
            var message = assertThrows(LuaError.class, () -> run(test)).getMessage();
            assertTrue(message.contains(test.string("failsWith")), message);
        } else {
            assertEquals(test.get("gives"), run(test));
        }
    }
}
