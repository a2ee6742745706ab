package dev.towtank.controllers.registry.source;

import java.util.regex.Pattern;

/// A name of images in the registry: the namespace that they belong to, and what they are called in it.
///
/// @param path both, with a slash between them
record Repository(String path) {

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)+");
    private static final Pattern TAG = Pattern.compile("[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final int LONGEST = 200;

    static Repository parse(String text) throws RegistryRefusal {
        if (text.length() > LONGEST || !NAME.matcher(text).matches()) {
            throw new RegistryRefusal(
                    400, "NAME_INVALID", "invalid repository name: here it is a namespace, a slash and a name");
        }
        return new Repository(text);
    }

    String namespace() {
        return path.substring(0, path.indexOf('/'));
    }

    /// As a name of a file: no part of it begins with a dot, and none is empty.
    String fileName() {
        return path.replace('/', '%');
    }

    static Repository ofFile(String name) {
        return new Repository(name.replace('%', '/'));
    }

    static boolean isTag(String text) {
        return TAG.matcher(text).matches();
    }

    static boolean isDigest(String text) {
        return DIGEST.matcher(text).matches();
    }

    /// The part that is a name of a file.
    static String hex(String digest) throws RegistryRefusal {
        if (!isDigest(digest)) {
            throw new RegistryRefusal(400, "DIGEST_INVALID", "a digest is sha256: and 64 small hexadecimal digits");
        }
        return digest.substring("sha256:".length());
    }
}
