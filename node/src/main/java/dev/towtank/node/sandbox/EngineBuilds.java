package dev.towtank.node.sandbox;

import dev.towtank.cluster.pods.ImageShelf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Builds of a container engine.
final class EngineBuilds implements ImageShelf.Engine {

    private final ContainerEngine engine;

    EngineBuilds(ContainerEngine engine) {
        this.engine = engine;
    }

    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public Optional<String> build(Order order, Consumer<String> log) throws IOException {
        var words =
                new ArrayList<>(List.of("build", "--file", order.dockerfile().toString(), "--tag", order.image()));
        order.arguments().forEach((name, value) -> words.addAll(List.of("--build-arg", name + "=" + value)));
        words.add(order.context().toString());
        var said = engine.run(words.toArray(String[]::new));
        said.out().lines().forEach(log);
        if (said.code() != 0) {
            log.accept(said.problem());
            return Optional.empty();
        }
        var id = engine.run("image", "inspect", "--format", "{{.Id}}", order.image());
        return id.code() == 0 ? Optional.of(id.out().strip()) : Optional.empty();
    }
}
