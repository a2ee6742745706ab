package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Params;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a health endpoint says.
record HealthReport(int code, String text) {

    /// @param segments the endpoint, and perhaps the name of one check
    static HealthReport of(Health health, List<String> segments, Params params) {
        var endpoint = segments.getFirst();
        var checks = health.checks(endpoint);
        if (segments.size() == 1) {
            return all(endpoint, checks, params);
        }
        return checks.stream()
                .filter(check -> segments.size() == 2 && check.name().equals(segments.get(1)))
                .findFirst()
                .map(check -> one(problem(check)))
                .orElseThrow(NotServed::error);
    }

    private static HealthReport one(Optional<String> problem) {
        return problem.map(why -> new HealthReport(500, "internal server error: " + why + "\n"))
                .orElseGet(() -> new HealthReport(200, "ok"));
    }

    private static HealthReport all(String endpoint, List<Health.Check> checks, Params params) {
        var excluded = Set.copyOf(params.all("exclude"));
        var lines = new StringBuilder();
        boolean failed = false;
        for (var check : checks) {
            if (excluded.contains(check.name())) {
                lines.append("[+]").append(check.name()).append(" excluded: ok\n");
                continue;
            }
            var problem = problem(check);
            failed |= problem.isPresent();
            lines.append(problem.isPresent() ? "[-]" : "[+]")
                    .append(check.name())
                    .append(problem.map(why -> " failed: " + why).orElse(" ok"))
                    .append('\n');
        }
        if (failed) {
            return new HealthReport(500, lines + endpoint + " check failed\n");
        }
        return new HealthReport(200, params.has("verbose") ? lines + endpoint + " check passed\n" : "ok");
    }

    private static Optional<String> problem(Health.Check check) {
        try {
            return check.problem().get();
        } catch (RuntimeException e) {
            return Optional.of("the check itself failed: " + e);
        }
    }
}
