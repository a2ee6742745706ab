package dev.towtank.apiserver.planted;

import org.apache.commons.compress.archivers.tar.TarConstants;

final class UsesCompress {
    Class<?> library() {
        return TarConstants.class;
    }
}
