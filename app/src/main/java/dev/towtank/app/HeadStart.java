package dev.towtank.app;

import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.controllers.pipelines.TektonKinds;
import dev.towtank.model.Schemas;
import dev.towtank.node.images.MappedImages;
import dev.towtank.node.linux.CompilerThreads;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a server needs is loaded on another thread from the first moment on, while the command line is still being
/// read.
final class HeadStart {

    private static final Set<String> SERVERS = Set.of("up", "run");

    // Null where there is none, or before it has begun.
    private volatile @Nullable CompilerThreads compilers;

    private HeadStart() {}

    static HeadStart of(String... args) {
        var start = new HeadStart();
        if (args.length > 0 && SERVERS.contains(args[0])) {
            Thread.ofPlatform().name("head start").daemon().start(start::load);
        }
        return start;
    }

    /// The server runs: from now on it is worth while to make its code faster.
    void over() {
        var stepped = compilers;
        if (stepped != null) {
            stepped.comeBack();
        }
    }

    /// In the order in which a start will ask for it.
    private void load() {
        compilers = CompilerThreads.stepBack();
        JournaledStore.warmUp();
        HttpServer.warmUp();
        MappedImages.warmUp();
        TektonKinds.definitions();
        Schemas.builtin();
    }
}
