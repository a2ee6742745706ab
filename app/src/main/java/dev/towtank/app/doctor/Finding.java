package dev.towtank.app.doctor;

import dev.towtank.model.Json;
import java.util.Locale;

/// One thing that was looked at.
///
/// @param detail what was found, or what goes without it
/// @param debianPackage what brings it, or empty
/// @param fix the command that adds it, or what else to do; empty when all is well
public record Finding(String group, String name, State state, String detail, String debianPackage, String fix) {

    public enum State {
        OK,
        /// Something does not work without it.
        ABSENT,
        /// Nothing works without it.
        MISSING
    }

    static Finding ok(String group, String name, String detail) {
        return new Finding(group, name, State.OK, detail, "", "");
    }

    static Finding absent(String group, String name, String detail, String fix) {
        return new Finding(group, name, State.ABSENT, detail, "", fix);
    }

    static Finding missing(String group, String name, String detail, String fix) {
        return new Finding(group, name, State.MISSING, detail, "", fix);
    }

    Finding from(String packageName) {
        return new Finding(group, name, state, detail, packageName, fix);
    }

    Json.Obj json() {
        return Json.Obj.builder()
                .put("group", group)
                .put("name", name)
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("detail", detail)
                .putNonEmpty("package", debianPackage)
                .putNonEmpty("fix", fix)
                .build();
    }
}
