package dev.towtank.apiserver.http;

import dev.towtank.model.Json;
import java.util.Locale;

/// The version of Kubernetes whose API this is.
final class KubernetesVersion {

    private static final String MAJOR = "1";
    private static final String MINOR = "35";

    private KubernetesVersion() {}

    static Json.Obj json() {
        return Json.Obj.builder()
                .put("major", MAJOR)
                .put("minor", MINOR)
                .put("emulationMajor", MAJOR)
                .put("emulationMinor", MINOR)
                .put("minCompatibilityMajor", MAJOR)
                .put("minCompatibilityMinor", Integer.toString(Integer.parseInt(MINOR) - 1))
                .put("gitVersion", "v" + MAJOR + "." + MINOR + ".0+towtank")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none: Java " + Runtime.version().feature())
                .put("compiler", "javac")
                .put("platform", System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/" + architecture())
                .build();
    }

    private static String architecture() {
        var name = System.getProperty("os.arch");
        return name.equals("aarch64") ? "arm64" : name;
    }
}
