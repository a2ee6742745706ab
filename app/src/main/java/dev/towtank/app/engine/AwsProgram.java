package dev.towtank.app.engine;

import dev.towtank.controllers.buckets.source.tool.AwsTool;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/// A small `aws` for pods of a machine that has none: a script that starts our own program by the server's own Java.
final class AwsProgram {

    private static final String NAME = "aws";
    private static final String SCRIPT = """
            #!/bin/sh
            export LC_ALL=C.UTF-8 # names of files and keys are beyond ASCII
            exec /opt/towtank/java/bin/java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xshare:auto \\
              -cp /opt/towtank/aws-main.jar:/opt/towtank/aws-tool.jar dev.towtank.app.AwsMain "$@"
            """;

    private AwsProgram() {}

    /// @param directory its own
    static void place(Path directory) throws IOException {
        Files.createDirectories(directory);
        var script = directory.resolve(NAME);
        Files.writeString(script, SCRIPT);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// What the image map may give to containers, by the names it uses.
    ///
    /// @param directory where the script is, or will be
    static Map<String, Path> programs(Path directory) {
        var programs = new HashMap<String, Path>();
        programs.put("towtank-aws", directory.resolve(NAME));
        programs.put("towtank-java", Path.of(System.getProperty("java.home")));
        programs.put("towtank-aws-main", origin(AwsProgram.class));
        programs.put("towtank-aws-tool", origin(AwsTool.class));
        return programs;
    }

    /// The jar or the directory that a class is from.
    ///
    /// A class out of an AOT cache has no location where the jars were moved since, as those of packages
    /// are: the JVM looks where the cache was made. Its file is found where it is.
    static Path origin(Class<?> type) {
        try {
            var location = type.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(location == null ? holder(type) : location.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static URI holder(Class<?> type) {
        var name = "/" + type.getName().replace('.', '/') + ".class";
        var file = String.valueOf(type.getResource(name));
        return URI.create(file.substring(0, file.length() - name.length()).replaceFirst("^jar:(.*)!$", "$1"));
    }
}
