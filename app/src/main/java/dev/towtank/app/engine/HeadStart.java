package dev.towtank.app.engine;

import dev.towtank.apiserver.auth.BootstrapPolicy;
import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.controllers.pipelines.TektonKinds;
import dev.towtank.model.Schemas;
import dev.towtank.node.images.MappedImages;
import dev.towtank.node.linux.CompilerThreads;
import org.jspecify.annotations.Nullable;

/// What a server needs is loaded on another thread from the first moment on, while the command line is still being
/// read.
public final class HeadStart {

    // Null where there is none, or before it has begun.
    private volatile @Nullable CompilerThreads compilers;

    private HeadStart() {}

    public static HeadStart of(String... args) {
        var start = new HeadStart();
        switch (args.length > 0 ? args[0] : "") {
            case "up" -> load(start::server);
            // Has its store in memory, mostly no client, and is over before code could be optimized.
            case "run" -> load(HeadStart::pods);
            default -> {}
        }
        return start;
    }

    private static void load(Runnable what) {
        Thread.ofPlatform().name("head start").daemon().start(what);
    }

    /// The server runs: from now on it is worth while to make its code faster.
    void over() {
        var stepped = compilers;
        if (stepped != null) {
            stepped.comeBack();
        }
    }

    // In the order in which a start will ask for it.
    private void server() {
        compilers = CompilerThreads.stepBack();
        JournaledStore.warmUp();
        HttpServer.warmUp();
        pods();
    }

    private static void pods() {
        BootstrapPolicy.standard();
        MappedImages.warmUp();
        TektonKinds.DEFINITIONS.objects();
        Schemas.builtin();
    }
}
