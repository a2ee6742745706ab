package dev.towtank.app;

import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.controllers.pipelines.TektonKinds;
import dev.towtank.model.Schemas;
import dev.towtank.node.images.MappedImages;
import dev.towtank.node.linux.CompilerThreads;
import java.util.Set;

/// What a server needs is loaded on another thread from the first moment on, while the command line is still being
/// read.
final class HeadStart {

    private static final Set<String> SERVERS = Set.of("up", "run");

    private HeadStart() {}

    static void of(String... args) {
        if (args.length > 0 && SERVERS.contains(args[0])) {
            Thread.ofPlatform().name("head start").daemon().start(HeadStart::load);
        }
    }

    /// In the order in which a start will ask for it.
    private static void load() {
        CompilerThreads.stepBack();
        JournaledStore.warmUp();
        HttpServer.warmUp();
        MappedImages.warmUp();
        TektonKinds.definitions();
        Schemas.builtin();
    }
}
