package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.buckets.source.tool.AwsTool;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AwsProgramTest {

    /// Gives classes out as a JVM does whose AOT cache was made elsewhere: without saying where they are from.
    private static final class Forgetful extends ClassLoader {
        Forgetful() {
            super(AwsProgramTest.class.getClassLoader());
        }

        Class<?> define(Class<?> type) throws IOException {
            try (var file = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
                var bytes = file.readAllBytes();
                var nowhere = new CodeSource((URL) null, (Certificate[]) null);
                return defineClass(type.getName(), bytes, 0, bytes.length, new ProtectionDomain(nowhere, null));
            }
        }
    }

    @Test
    void knowsWhereItsProgramsAre() {
        assertThat(AwsProgram.programs(Path.of("/d")).values())
                .contains(Path.of("/d/aws"), AwsProgram.origin(AwsProgram.class), AwsProgram.origin(AwsTool.class));
        assertThat(AwsProgram.origin(AwsProgram.class)).exists();
    }

    /// One from a directory, one from a jar.
    @ParameterizedTest
    @ValueSource(classes = {AwsProgram.class, CommandLine.class})
    void findsWhatAMovedCacheHasForgotten(Class<?> type) throws IOException {
        assertThat(AwsProgram.origin(new Forgetful().define(type))).exists().isEqualTo(AwsProgram.origin(type));
    }
}
