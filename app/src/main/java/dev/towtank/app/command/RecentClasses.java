package dev.towtank.app.command;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Brings the classes of a library up to the form that the JVM can keep in its cache. In the form of before Java 6 they
/// say
/// nothing about types between instructions, so that each start would have to work these out again.
final class RecentClasses {

    /// Code is written anew, though it stays the same: its types are worked out on this occasion.
    private static final ClassTransform RECENT = ClassTransform.transformingMethodBodies(
                    (builder, element) -> builder.with(element))
            .andThen((builder, element) -> {
                if (element instanceof ClassFileVersion) {
                    builder.withVersion(ClassFile.JAVA_17_VERSION, 0);
                } else {
                    builder.with(element);
                }
            });

    private RecentClasses() {}

    /// Whoever has the jar open keeps the one they have.
    static void rewrite(Path jar) throws IOException {
        var rewritten = Files.createTempFile(jar.getParent(), "jar", ".tmp");
        try {
            try (var from = new JarFile(jar.toFile());
                    var to = new ZipOutputStream(Files.newOutputStream(rewritten))) {
                var classes = ClassFile.of(
                        ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                        ClassFile.ClassHierarchyResolverOption.of(hierarchy(from)));
                for (var entry : Collections.list(from.entries())) {
                    to.putNextEntry(new ZipEntry(entry.getName()));
                    var content = content(from, entry);
                    to.write(isOld(content) ? classes.transformClass(classes.parse(content), RECENT) : content);
                    to.closeEntry();
                }
            }
            // A temporary file is its owner's alone; the library may be everybody's.
            Files.setPosixFilePermissions(rewritten, Files.getPosixFilePermissions(jar));
            Files.move(rewritten, jar, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(rewritten);
        }
    }

    /// Types that the instructions mix are looked up in the library itself before the JDK.
    private static ClassHierarchyResolver hierarchy(JarFile library) {
        return ClassHierarchyResolver.ofResourceParsing(type -> {
                    var name = type.descriptorString();
                    var entry = library.getEntry(name.substring(1, name.length() - 1) + ".class");
                    try {
                        return entry == null ? null : library.getInputStream(entry);
                    } catch (IOException e) {
                        return null;
                    }
                })
                .orElse(ClassHierarchyResolver.defaultResolver())
                .cached();
    }

    private static byte[] content(JarFile library, ZipEntry entry) throws IOException {
        try (var in = library.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private static boolean isOld(byte[] content) {
        return content.length > 8
                && (content[0] & 0xff) == 0xca
                && (content[1] & 0xff) == 0xfe
                && (content[7] & 0xff) < ClassFile.JAVA_6_VERSION;
    }
}
