import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.ImageMode;
import dev.towtank.node.images.MappedImages;
import dev.towtank.node.images.RealImages;
import dev.towtank.node.images.registry.ImageReference;
import dev.towtank.node.images.store.ImageImport;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.UnpackLimits;
import dev.towtank.node.sandbox.ContainerSpec;
import dev.towtank.node.sandbox.Sandbox;
import dev.towtank.node.sandbox.Sandboxes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How long images take: to come, to be unpacked, and to run a container on.
final class Images {

    private static final int PULLS = 7;
    private static final int THREADS = 4;

    private final Path work;
    private final String name;

    private Images(Path work, int port) {
        this.work = work;
        this.name = "127.0.0.1:" + port + "/bench/many:1";
    }

    public static void main(String[] arguments) throws Exception {
        var bench = new Images(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        int count = Integer.parseInt(arguments[2]);
        System.out.printf("%-44s %10s %10s %12s%n", "", "p50 ms", "p95 ms", "per second");
        bench.comes();
        bench.runs(count);
    }

    private interface Job {
        void run(int number) throws Exception;
    }

    private static void report(String what, Job job, int count) throws Exception {
        var times = Stopwatch.timed(job::run, count);
        System.out.printf("%-44s %10.1f %10.1f%n", what, times[count / 2] / 1e6, times[count * 95 / 100] / 1e6);
    }

    private void comes() throws Exception {
        report("skopeo copy to a directory (packed)", this::skopeo, PULLS);
        report("pull, verify and unpack", this::pull, PULLS);
        report("umoci unpack of the layout", this::umoci, PULLS);
        report("import of the layout", this::bring, PULLS);
    }

    private static void command(String... line) throws Exception {
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        var said = process.inputReader().readAllAsString().strip();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", line) + ": " + said);
        }
    }

    private void skopeo(int number) throws Exception {
        command("skopeo", "copy", "-q", "--src-tls-verify=false", "docker://" + name, "dir:" + work.resolve("dir" + number));
    }

    private void umoci(int number) throws Exception {
        command(
                "umoci", "unpack", "--rootless", "--image", work.resolve("layout") + ":many",
                work.resolve("unpacked" + number).toString());
    }

    private void pull(int number) throws Exception {
        try (var images = images(work.resolve("pulled" + number))) {
            images.pull(ImageReference.parse(name).orElseThrow(), List.of(), _ -> {});
        }
    }

    private RealImages images(Path store) throws Exception {
        return new RealImages(
                ImageStore.use(store, UnpackLimits.USUAL),
                MappedImages.load(work.resolve("images.yaml"), work.resolve("cache"), Map.of(), _ -> Optional.empty()),
                ImageMode.REAL,
                _ -> List.of(),
                InstantSource.system());
    }

    private void bring(int number) throws Exception {
        try (var store = ImageStore.open(work.resolve("brought" + number), UnpackLimits.USUAL)) {
            new ImageImport(store, work.resolve("brought" + number).resolve("partial"), UnpackLimits.USUAL)
                    .run(work.resolve("layout"), _ -> name, Instant.EPOCH);
        }
    }

    private void runs(int count) throws Exception {
        var standIn = new Image(
                "bench", new Image.Root.Host(), Image.Shell.DASH, List.of(), List.of(), "", "", Map.of(), Map.of());
        try (var images = images(work.resolve("pulled0"));
                var sandbox = Sandboxes.bubblewrap(work.resolve("shared"), InstantSource.system())) {
            var real = ((ImageMap.Lookup.Found) images.find(name)).image();
            for (var image : List.of(standIn, real, standIn, real)) {
                Stopwatch.timed(number -> container(sandbox, image, number), count / 4);
            }
            rate("container on a stand-in", number -> container(sandbox, standIn, number), count);
            rate("container on an image of 21 layers", number -> container(sandbox, real, number), count);
            rate("the same with the image's users", number -> container(sandbox, real, number, Set.of("CHOWN")), count);
            copied(real, Math.max(8, count / 20));
        }
        var podman = System.getenv().getOrDefault("PODMAN", "/usr/bin/podman");
        if (Files.isExecutable(Path.of(podman))) {
            podman(podman, Math.max(8, count / 20));
        }
    }

    /// As where the kernel cannot put layers over each other.
    private void copied(Image real, int count) throws Exception {
        var shared = work.resolve("copying");
        try (var sandbox = Sandboxes.bubblewrap(shared, shared, true, InstantSource.system())) {
            container(sandbox, real, 0);
            rate("container on a copy of the same image", number -> container(sandbox, real, number), count);
        }
    }

    /// Where it can run anything at all. It asks for more open files and processes than some machines let even root
    /// have, so it is told how many.
    private void podman(String podman, int count) throws Exception {
        Job run = _ -> command(
                podman, "run", "--rm", "--network=none", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", name,
                "/bin/true");
        command(podman, "pull", "-q", "--tls-verify=false", name);
        try {
            run.run(0);
            rate("podman run --rm of the same image", run, count);
        } catch (IllegalStateException e) {
            System.out.println("podman cannot run containers here: " + e.getMessage());
        } finally {
            command(podman, "rmi", "-f", name);
        }
    }

    private static void rate(String what, Job job, int count) throws Exception {
        var times = Stopwatch.timed(job::run, count);
        System.out.printf(
                "%-44s %10.1f %10.1f %12.1f%n",
                what,
                times[count / 2] / 1e6,
                times[count * 95 / 100] / 1e6,
                Stopwatch.perSecond(job::run, count, THREADS));
    }

    private void container(Sandbox sandbox, Image image, int number) throws Exception {
        container(sandbox, image, number, Set.of());
    }

    private void container(Sandbox sandbox, Image image, int number, Set<String> rights) throws Exception {
        var id = "run-" + number;
        var spec = new ContainerSpec(
                id,
                work.resolve(id),
                work.resolve(id + "-log"),
                new ContainerSpec.Command(image, new ArrayList<>(List.of("/bin/true")), Map.of(), "", false),
                new ContainerSpec.View(
                        List.of(), Optional.empty(), "bench", new ContainerSpec.Network.Machine(), false),
                new ContainerSpec.Bounds(ContainerSpec.User.ofImage(), ContainerSpec.Limits.none(), ContainerSpec.Calls.FILTERED, rights, rights.isEmpty()),
                ContainerSpec.Streams.PLAIN);
        sandbox.start(spec).await();
        sandbox.remove(spec.id(), spec.directory());
    }
}
