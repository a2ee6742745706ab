package dev.towtank.app;

/// Our own API server in this process.
final class EmbeddedEngine implements Engine.Starter {

    @Override
    public Engine start(Engine.Site site) {
        throw new Failure("This build has no API server in it, so there is nothing to start on port " + site.port()
                + ". Check out a version that has one.");
    }
}
