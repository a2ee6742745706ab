package dev.towtank.cluster;

import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// What a started feature runs. Nothing of it runs before the feature has returned it.
///
/// @param controllers which decide
/// @param observers which see changes beside the controllers
/// @param endpoints paths at the server's own address
/// @param programs what the node runs in place of a container's command
/// @param checks by which the server tells whether it is ready
/// @param closing what ends with the feature, after its controllers, the last first
public record Running(
        List<Controller<?, ?>> controllers,
        List<Observer> observers,
        List<Endpoint> endpoints,
        List<ContainerProgram> programs,
        List<Check> checks,
        List<Runnable> closing) {

    public static final Running NOTHING = new Running(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    /// @param problem why it is not ready; empty when it is
    public record Check(String name, Supplier<Optional<String>> problem) {}

    public Running {
        controllers = List.copyOf(controllers);
        observers = List.copyOf(observers);
        endpoints = List.copyOf(endpoints);
        programs = List.copyOf(programs);
        checks = List.copyOf(checks);
        closing = List.copyOf(closing);
    }

    public static Running of(List<? extends Controller<?, ?>> controllers) {
        return new Running(List.copyOf(controllers), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    public static Running of(Controller<?, ?>... controllers) {
        return of(List.of(controllers));
    }

    public Running observing(List<Observer> more) {
        return new Running(controllers, joined(observers, more), endpoints, programs, checks, closing);
    }

    public Running serving(Endpoint... more) {
        return new Running(controllers, observers, joined(endpoints, List.of(more)), programs, checks, closing);
    }

    public Running playing(ContainerProgram... more) {
        return new Running(controllers, observers, endpoints, joined(programs, List.of(more)), checks, closing);
    }

    public Running readyWhen(Check... more) {
        return new Running(controllers, observers, endpoints, programs, joined(checks, List.of(more)), closing);
    }

    public Running closing(Runnable more) {
        return new Running(controllers, observers, endpoints, programs, checks, joined(closing, List.of(more)));
    }

    /// The kinds whose changes wake or reach something of it.
    public List<Kind<?>> followed() {
        return Stream.<Kind<?>>concat(
                        controllers.stream()
                                .flatMap(each -> Stream.concat(
                                        Stream.of(each.kind()),
                                        each.triggers().stream().map(Trigger::kind))),
                        observers.stream().map(Observer::kind))
                .distinct()
                .toList();
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }
}
