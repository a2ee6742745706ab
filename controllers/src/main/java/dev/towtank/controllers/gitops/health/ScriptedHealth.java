package dev.towtank.controllers.gitops.health;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.lua.Libraries;
import dev.towtank.model.lua.Limits;
import dev.towtank.model.lua.LuaError;
import dev.towtank.model.lua.LuaScript;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Health as the user's own scripts tell it.
///
/// @param scripts by `<group>_<Kind>`, where `*` stands for any; without a group by the kind alone
public record ScriptedHealth(Map<String, Script> scripts) {

    public static final ScriptedHealth NONE = new ScriptedHealth(Map.of());

    // A script that counts to a million has lost its way; it is asked for every change of an object.
    private static final Limits LIMITS = new Limits(1_000_000, 32L << 20, 100);

    /// @param isOpen whether it sees more than the base functions
    public record Script(String text, boolean isOpen) {}

    public ScriptedHealth {
        scripts = Map.copyOf(scripts);
    }

    /// The keys of an object as settings write them: its own, and in their order those with stars.
    private Optional<Script> script(ResourceKey key) {
        var own = scripts.get(name(key.group(), key.kind()));
        if (own != null) {
            return Optional.of(own);
        }
        return new TreeMap<>(scripts)
                .entrySet().stream()
                        .filter(entry -> entry.getKey().contains("*") && matches(entry.getKey(), key))
                        .map(Map.Entry::getValue)
                        .findFirst();
    }

    public static String name(String group, String kind) {
        return group.isEmpty() ? kind : group + "_" + kind;
    }

    private static boolean matches(String pattern, ResourceKey key) {
        int bar = pattern.lastIndexOf('_');
        var group = bar < 0 ? "" : pattern.substring(0, bar);
        return fits(group, key.group()) && fits(pattern.substring(bar + 1), key.kind());
    }

    private static boolean fits(String pattern, String text) {
        int star = pattern.indexOf('*');
        return star < 0
                ? pattern.equals(text)
                : text.length() >= pattern.length() - 1
                        && text.startsWith(pattern.substring(0, star))
                        && text.endsWith(pattern.substring(star + 1));
    }

    /// Empty where no script is about the object.
    Optional<Health> of(Json.Obj object, Instant now) {
        return script(ResourceKey.of(object)).map(script -> asked(script, object, now));
    }

    private static Health asked(Script script, Json.Obj object, Instant now) {
        try {
            var libraries = script.isOpen() ? Libraries.OPEN : Libraries.RESTRICTED;
            var answer =
                    LuaScript.compile("<string>", script.text()).call(Map.of("obj", object), libraries, LIMITS, now);
            if (!(answer instanceof Json.Obj health)) {
                return Health.of(Health.Code.UNKNOWN, "the health script returned no table");
            }
            return code(health.string("status"))
                    .map(code -> Health.of(code, health.string("message")))
                    .orElse(Health.of(Health.Code.UNKNOWN, "Lua returned an invalid health status"));
        } catch (LuaError e) {
            return Health.of(Health.Code.UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    static Optional<Health.Code> code(String wire) {
        return Arrays.stream(Health.Code.values())
                .filter(code -> code.wire().equals(wire))
                .findFirst();
    }

    /// What is wrong with the scripts themselves; for people.
    public List<String> problems() {
        return scripts.entrySet().stream()
                .flatMap(entry -> problem(entry.getKey(), entry.getValue()).stream())
                .toList();
    }

    private static Optional<String> problem(String name, Script script) {
        try {
            LuaScript.compile("<string>", script.text());
            return Optional.empty();
        } catch (LuaError e) {
            return Optional.of("the health script of " + name + " cannot be read: " + e.getMessage());
        }
    }
}
