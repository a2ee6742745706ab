package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Attempt;
import dev.towtank.app.report.RunStory.Outcome;
import dev.towtank.app.report.RunStory.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A run as JUnit's XML, for build servers: a test for each run of a task. What failed and was ignored counts as
/// skipped:
/// a test that failed would make the build fail. Earlier attempts are written as Surefire writes those of flaky tests.
public final class JunitSummary {
    private static final int LONGEST_LOG = 64 << 10;

    private record Test(String name, Outcome outcome, String skipped, List<Attempt> attempts) {
        Test {
            attempts = List.copyOf(attempts);
        }
    }

    private JunitSummary() {}

    public static String of(RunStory story) {
        var tests = tests(story);
        long failures = tests.stream().filter(JunitSummary::isFailed).count();
        long skipped = tests.stream().filter(JunitSummary::isSkipped).count();
        var xml = new Html().constant("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.open("testsuites", "name", story.name()).line();
        xml.open(
                        "testsuite",
                        "name",
                        story.name(),
                        "tests",
                        "" + tests.size(),
                        "failures",
                        "" + failures,
                        "errors",
                        "0",
                        "skipped",
                        "" + skipped,
                        "time",
                        seconds(story.outcome().time(story.told()).orElse(Duration.ZERO)))
                .line();
        var suite = story.definition().isEmpty() ? story.name() : story.definition();
        tests.forEach(test -> test(xml, suite, test, story));
        return xml.close("testsuite").line().close("testsuites").line().toString();
    }

    private static List<Test> tests(RunStory story) {
        var tests = new ArrayList<Test>();
        for (var task : story.tasks()) {
            if (task.parts().isEmpty()) {
                tests.add(new Test(task.name(), task.outcome(), task.skipped(), List.of()));
            }
            task.parts()
                    .forEach(part -> tests.add(new Test(part.name(), part.outcome(), ignored(part), part.attempts())));
        }
        return tests;
    }

    private static boolean isFailed(Test test) {
        return test.outcome().state().isBad() || test.outcome().state() == State.CANCELLED;
    }

    private static boolean isSkipped(Test test) {
        return !hasRun(test) || test.outcome().state().isIgnored();
    }

    private static boolean hasRun(Test test) {
        return test.outcome().state() != State.SKIPPED && test.outcome().state() != State.WAITING;
    }

    private static String ignored(Part part) {
        var outcome = part.outcome();
        return outcome.state().isIgnored() ? outcome.state().word() + ": " + outcome.message() : "";
    }

    private static void test(Html xml, String suite, Test test, RunStory story) {
        var time = hasRun(test) ? test.outcome().time(story.told()).orElse(Duration.ZERO) : Duration.ZERO;
        xml.open("testcase", "classname", suite, "name", test.name(), "time", seconds(time));
        if (isFailed(test)) {
            xml.element("failure", test.outcome().message(), about(test.outcome()));
        } else if (isSkipped(test)) {
            xml.element("skipped", "", "message", test.skipped().isEmpty() ? "it never began" : test.skipped());
        }
        if (!test.attempts().isEmpty()) {
            var earlier = test.attempts().subList(0, test.attempts().size() - 1);
            earlier.forEach(attempt -> attempt(xml, attempt, isFailed(test) ? "rerunFailure" : "flakyFailure"));
            output(xml, test.attempts().getLast());
        }
        xml.close("testcase").line();
    }

    private static void attempt(Html xml, Attempt attempt, String element) {
        xml.open(element, about(attempt.outcome()))
                .element("stackTrace", attempt.outcome().message());
        output(xml, attempt);
        xml.close(element);
    }

    private static String[] about(Outcome outcome) {
        return new String[] {"message", outcome.message(), "type", outcome.reason()};
    }

    private static void output(Html xml, Attempt attempt) {
        var all = attempt.output();
        if (!all.isBlank()) {
            xml.element(
                    "system-out", all.length() <= LONGEST_LOG ? all : "…" + all.substring(all.length() - LONGEST_LOG));
        }
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
    }
}
