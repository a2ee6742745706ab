package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RecentClassesTest {

    @TempDir
    private Path directory;

    @Test
    void allClassesOfALibraryStayUsable() throws Exception {
        var library = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var jar = Files.copy(library, directory.resolve("library.jar"));
        var everybody = PosixFilePermissions.fromString("rw-r--r--");
        Files.setPosixFilePermissions(jar, everybody);
        RecentClasses.rewrite(jar);

        try (var rewritten = new JarFile(jar.toFile());
                var original = new JarFile(library.toFile());
                var loader = new URLClassLoader(new java.net.URL[] {jar.toUri().toURL()}, null)) {
            assertThat(rewritten.size()).isEqualTo(original.size());
            for (var entry : Collections.list(rewritten.entries())) {
                if (entry.getName().startsWith("picocli/") && entry.getName().endsWith(".class")) {
                    assertThat(version(rewritten, entry.getName())).isGreaterThanOrEqualTo(ClassFile.JAVA_6_VERSION);
                }
            }
            // To initialize a class verifies it, and a class with wrong types would be refused.
            var line = Class.forName("picocli.CommandLine", true, loader);
            assertThat(line.getMethod("usage", Object.class, java.io.PrintStream.class))
                    .isNotNull();
            assertThat(Class.forName("picocli.CommandLine$Interpreter", true, loader))
                    .isNotNull();
            assertThat(Class.forName("picocli.AutoComplete", true, loader)).isNotNull();
        }
        assertThat(Files.getPosixFilePermissions(jar)).isEqualTo(everybody);
        assertThat(directory.toFile().list()).containsExactly(jar.getFileName().toString());
    }

    private static int version(JarFile jar, String name) throws IOException {
        try (var in = jar.getInputStream(jar.getEntry(name))) {
            return ClassFile.of().parse(in.readAllBytes()).majorVersion();
        }
    }
}
