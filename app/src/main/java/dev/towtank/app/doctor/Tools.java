package dev.towtank.app.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Programs that Towtank or its users' pipelines like to have.
final class Tools {
    private static final String TOOLS = "Tools";
    private static final String PYTHON = "Python";
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)+[\\w.+-]*");

    /// @param without what does not work then
    record Tool(String name, String debianPackage, List<String> ask, String without) {}

    static final List<Tool> ALL = List.of(
            new Tool(
                    "kubectl",
                    "kubernetes-client",
                    List.of("version", "--client"),
                    "'towtank get' does the most of it"),
            new Tool("git", "git", List.of("--version"), "tasks that clone do not work"),
            new Tool("shellcheck", "shellcheck", List.of("--version"), "'towtank lint' finds less in scripts"),
            new Tool(
                    "podman", "podman", List.of("--version"), "nothing needs it: pods run without a container engine"));

    /// What notebooks and models need, as Debian calls the packages.
    private static final List<Tool> MODULES = List.of(
            module("numpy", "python3-numpy"),
            module("sklearn", "python3-sklearn"),
            module("nbformat", "python3-nbformat"),
            module("nbconvert", "python3-nbconvert"),
            module("ipykernel", "python3-ipykernel"));

    private static Tool module(String name, String debianPackage) {
        return new Tool(name, debianPackage, List.of(), "notebooks that use it do not run");
    }

    private final ExaminedMachine machine;

    Tools(ExaminedMachine machine) {
        this.machine = machine;
    }

    List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tools = ALL.stream()
                    .map(tool -> threads.submit(() -> tool.name().equals("podman") ? engine(tool) : look(tool)))
                    .toList();
            var python = threads.submit(this::python);
            for (var tool : tools) {
                findings.add(result(tool));
            }
            findings.addAll(result(python));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return findings;
    }

    private static <T> T result(Future<T> check) throws InterruptedException {
        try {
            return check.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private Finding look(Tool tool) {
        return machine.program(tool.name())
                .map(path -> Finding.ok(TOOLS, tool.name(), version(path, tool.ask()) + path))
                .orElseGet(() -> Finding.absent(TOOLS, tool.name(), "not there: " + tool.without(), "")
                        .from(tool.debianPackage()));
    }

    /// Either will do, and none is needed. A program without a service behind it runs nothing, so that one is asked.
    private Finding engine(Tool podman) {
        var notes = new ArrayList<String>();
        for (var name : List.of("podman", "docker")) {
            var found = machine.program(name);
            if (found.isEmpty()) {
                continue;
            }
            var path = found.get();
            if (machine.answer(List.of(path.toString(), "info")).isPresent()) {
                var told =
                        version(path, podman.ask()) + path + " answers: '--runtime " + name + "' of up and run uses it";
                return Finding.ok(TOOLS, name, told);
            }
            notes.add(path + " is there, but its service does not answer");
        }
        return Finding.ok(
                TOOLS,
                "podman",
                notes.isEmpty() ? "not there, and not needed" : String.join("; ", notes) + "; none is needed");
    }

    private String version(Path program, List<String> ask) {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(ask);
        return machine.answer(command)
                .flatMap(Tools::number)
                .map(number -> number + ", ")
                .orElse("");
    }

    static Optional<String> number(String text) {
        var found = NUMBER.matcher(text);
        return found.find() ? Optional.of(found.group()) : Optional.empty();
    }

    /// Pods see the system's Python, not one in somebody's home.
    private List<Finding> python() {
        var system = Path.of("/usr/bin/python3");
        var python = machine.answer(List.of(system.toString(), "--version")).map(_ -> system);
        if (python.isEmpty()) {
            var other = machine.program("python3")
                    .map(path -> "; " + path + " is not seen by pods")
                    .orElse("");
            return List.of(Finding.absent(PYTHON, "python3", system + " is not there" + other, "")
                    .from("python3"));
        }
        var findings = new ArrayList<Finding>();
        findings.add(Finding.ok(PYTHON, "python3", version(system, List.of("--version")) + system));
        // Looks them up without loading them, which takes seconds.
        var program = "import importlib.util as u; print(' '.join(m for m in '"
                + MODULES.stream().map(Tool::name).collect(Collectors.joining(" "))
                + "'.split() if u.find_spec(m)))";
        var there = List.of(machine.answer(List.of(system.toString(), "-c", program))
                .orElse("")
                .split(" ", -1));
        for (var module : MODULES) {
            findings.add(
                    there.contains(module.name())
                            ? Finding.ok(PYTHON, module.name(), "there")
                            : Finding.absent(PYTHON, module.name(), "not there: " + module.without(), "")
                                    .from(module.debianPackage()));
        }
        return findings;
    }
}
