package dev.towtank.app.run.input;

import java.util.List;

/// What the user gave cannot be run. Nothing has been started; each problem says where it is and what to do.
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    public BadInput(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        this.problems = List.copyOf(problems);
    }

    public BadInput(String problem) {
        this(List.of(problem));
    }

    public List<String> problems() {
        return problems;
    }
}
