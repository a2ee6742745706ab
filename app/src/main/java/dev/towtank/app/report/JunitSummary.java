package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Outcome;
import dev.towtank.app.report.RunStory.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A run as JUnit's XML, for build servers: a test for each run of a task.
public final class JunitSummary {
    private static final int LONGEST_LOG = 64 << 10;

    private record Test(String name, Outcome outcome, String skipped, String output) {}

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
                tests.add(new Test(task.name(), task.outcome(), task.skipped(), ""));
            }
            task.parts().forEach(part -> tests.add(new Test(part.name(), part.outcome(), "", output(part))));
        }
        return tests;
    }

    private static boolean isFailed(Test test) {
        return test.outcome().state().isBad() || test.outcome().state() == State.CANCELLED;
    }

    private static boolean isSkipped(Test test) {
        return test.outcome().state() == State.SKIPPED || test.outcome().state() == State.WAITING;
    }

    private static void test(Html xml, String suite, Test test, RunStory story) {
        var time = isSkipped(test)
                ? Duration.ZERO
                : test.outcome().time(story.told()).orElse(Duration.ZERO);
        xml.open("testcase", "classname", suite, "name", test.name(), "time", seconds(time));
        if (isFailed(test)) {
            xml.element(
                    "failure",
                    test.outcome().message(),
                    "message",
                    test.outcome().message(),
                    "type",
                    test.outcome().reason());
        } else if (isSkipped(test)) {
            xml.element("skipped", "", "message", test.skipped().isEmpty() ? "it never began" : test.skipped());
        }
        if (!test.output().isBlank()) {
            xml.element("system-out", test.output());
        }
        xml.close("testcase").line();
    }

    private static String output(Part part) {
        var all = part.attempts().getLast().steps().stream()
                .filter(step -> !step.log().text().isBlank())
                .map(step ->
                        "[" + step.name() + "]\n" + ReportPage.plain(step.log().text()))
                .collect(Collectors.joining("\n"));
        return all.length() <= LONGEST_LOG ? all : "…" + all.substring(all.length() - LONGEST_LOG);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
    }
}
