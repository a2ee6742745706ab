import java.util.Arrays;
import java.util.concurrent.Executors;

/// How long something takes, and how often it can be done.
final class Stopwatch {

    private Stopwatch() {}

    interface Run {
        void run(int number) throws Exception;
    }

    /// Nanoseconds of each, one after another; the shortest first.
    static long[] timed(Run run, int count) throws Exception {
        var times = new long[count];
        for (int i = 0; i < count; i++) {
            long from = System.nanoTime();
            run.run(i);
            times[i] = System.nanoTime() - from;
        }
        Arrays.sort(times);
        return times;
    }

    static double perSecond(Run run, int count, int threads) throws Exception {
        long from = System.nanoTime();
        try (var executor = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < count; i++) {
                int number = i;
                executor.submit(() -> {
                    run.run(number);
                    return null;
                });
            }
        }
        return count * 1e9 / (System.nanoTime() - from);
    }
}
