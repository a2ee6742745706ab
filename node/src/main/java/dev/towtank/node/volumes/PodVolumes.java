package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.OpenDirectory;
import dev.towtank.node.sandbox.ContainerSpec.Mount;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The volumes of one pod on disk. Its pod's worker alone uses it.
public final class PodVolumes {

    /// Names of emptyDir volumes of which whoever made the pod knows that little will be in them; `*` stands for the
    /// rest of a name. Made on disk, they would cost more than all that is ever written to them.
    private static final String SMALL_VOLUMES = "node.towtank.dev/small-volumes";

    private final VolumeSettings settings;
    private final VolumeSources sources;
    private final Path home;
    private final Path directory;
    private final Optional<Path> memory;
    private final Map<String, Path> places = new HashMap<>();

    // A hash is enough to see that nothing changed, and is no second copy of secrets.
    private final Map<String, Integer> written = new HashMap<>();
    private final Map<String, Instant> refreshAt = new HashMap<>();
    private int versions;
    private boolean begun;

    public PodVolumes(String podUid, VolumeSettings settings, VolumeSources sources) {
        this.settings = settings;
        this.sources = sources;
        this.home = settings.of(podUid);
        this.directory = home.resolve("volumes");
        this.memory = settings.memory().map(shared -> shared.resolve(podUid));
    }

    /// Makes all volumes ready.
    ///
    /// @throws VolumeProblem with the text of the FailedMount event
    public void prepare(Resource pod, Instant now) throws VolumeProblem {
        for (var volume : pod.spec().objects("volumes")) {
            var name = volume.string("name");
            try {
                places.put(name, place(pod, volume, now));
            } catch (VolumeProblem e) {
                throw new VolumeProblem("MountVolume.SetUp failed for volume \"" + name + "\" : " + e.text());
            } catch (IOException e) {
                throw new VolumeProblem("MountVolume.SetUp failed for volume \"" + name + "\" : " + e);
            }
        }
    }

    /// Brings files up to date that follow other objects or get old.
    public void refresh(Resource pod, Instant now) throws VolumeProblem {
        for (var volume : pod.spec().objects("volumes")) {
            if (VolumeFiles.holds(volume) && places.containsKey(volume.string("name"))) {
                try {
                    write(pod, volume, now);
                } catch (IOException e) {
                    throw new VolumeProblem("cannot update volume \"" + volume.string("name") + "\": " + e);
                }
            }
        }
    }

    /// When [#refresh] is due though nothing changed.
    public Optional<Instant> refreshAt() {
        return refreshAt.values().stream().min(Instant::compareTo);
    }

    private Path place(Resource pod, Json.Obj volume, Instant now) throws VolumeProblem, IOException {
        if (VolumeFiles.holds(volume)) {
            return write(pod, volume, now);
        }
        if (volume.get("emptyDir") instanceof Json.Obj source) {
            return emptyDirectory(pod, volume.string("name"), source);
        }
        if (volume.get("hostPath") instanceof Json.Obj source) {
            return new HostPath(settings, source).prepared();
        }
        if (volume.get("persistentVolumeClaim") instanceof Json.Obj source) {
            return claim(pod, source.string("claimName"));
        }
        if (volume.has("ephemeral")) {
            return claim(pod, pod.name() + "-" + volume.string("name"));
        }
        var kinds = volume.keys().stream().filter(key -> !key.equals("name")).toList();
        throw new VolumeProblem("this node has no volumes of the kind " + String.join(", ", kinds)
                + ": use emptyDir, configMap, secret, projected, downwardAPI or persistentVolumeClaim");
    }

    /// A directory of the machine stays whose it is.
    private Path claim(Resource pod, String name) throws VolumeProblem, IOException {
        var place = sources.claim(name);
        if (place.startsWith(settings.claims())) {
            FileGroup.of(pod).giveClaim(place);
        }
        return place;
    }

    private Path emptyDirectory(Resource pod, String name, Json.Obj source) throws IOException {
        boolean inMemory = source.string("medium").equals("Memory") || isSmall(pod, name);
        var parent = inMemory ? memory.orElse(directory) : directory;
        var place = parent.resolve(name);
        if (isMade(place, 0777)) {
            FileGroup.of(pod).give(place, false);
        } else if (!Files.isDirectory(place)) {
            throw new FileAlreadyExistsException(place.toString());
        }
        return place;
    }

    private static boolean isSmall(Resource pod, String volume) {
        var small = pod.annotations().getOrDefault(SMALL_VOLUMES, "");
        return !small.isEmpty() && Arrays.stream(small.split(",", -1)).anyMatch(name -> matches(name, volume));
    }

    private static boolean matches(String name, String volume) {
        return name.endsWith("*") ? volume.startsWith(name.substring(0, name.length() - 1)) : volume.equals(name);
    }

    /// Whether it was not there before.
    private boolean isMade(Path place, int mode) throws IOException {
        if (!begun && place.startsWith(directory)) {
            begin();
        }
        try {
            return OpenDirectory.HERE.make(place.toString(), mode);
        } catch (LinuxException e) {
            var around = place.getParent();
            if (around == null || !e.is(LinuxException.ENOENT)) {
                throw e;
            }
            Files.createDirectories(around); // somebody cleared up
            return OpenDirectory.HERE.make(place.toString(), mode);
        }
    }

    /// The directories around those on disk. A pod is new but after a restart of the server.
    private void begin() throws IOException {
        try {
            Files.createDirectory(home);
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            Files.createDirectories(directory);
        }
        begun = true;
    }

    private Path write(Resource pod, Json.Obj volume, Instant now) throws VolumeProblem, IOException {
        var name = volume.string("name");
        var place = parent(volume).resolve(name);
        var content = VolumeFiles.of(pod, volume, sources);
        content.refresh().ifPresent(moment -> refreshAt.put(name, moment));
        int hash = content.files().hashCode();
        if (!Integer.valueOf(hash).equals(written.get(name))) {
            var version = now.toEpochMilli() + "_" + versions++;
            var files = new AtomicDirectory(place, FileGroup.of(pod));
            if (isMade(place, 0755)) {
                files.writeFirst(content.files(), version);
            } else {
                FileModes.set(place, 0755);
                files.write(content.files(), version);
            }
            written.put(name, hash);
        }
        return place;
    }

    // What is secret does not get to a disk where that can be helped.
    private Path parent(Json.Obj volume) {
        boolean secret = volume.has("secret")
                || volume.objects("projected", "sources").stream()
                        .anyMatch(source -> source.has("secret") || source.has("serviceAccountToken"));
        return secret ? memory.orElse(directory) : directory;
    }

    /// What a container mounts.
    ///
    /// @param environment for `subPathExpr`
    public List<Mount> mounts(Json.Obj container, Map<String, String> environment) throws VolumeProblem {
        var mounts = new ArrayList<Mount>();
        for (var mount : container.objects("volumeMounts")) {
            var name = mount.string("name");
            var place = places.get(name);
            if (place == null) {
                throw new VolumeProblem("cannot find volume \"" + name + "\" to mount into container \""
                        + container.string("name") + "\"");
            }
            var target = mount.string("mountPath");
            mounts.add(new Mount(
                    place,
                    SubPath.in(place, container, mount, environment),
                    target.startsWith("/") ? target : "/" + target,
                    mount.flag("readOnly") || isReadOnly(name)));
        }
        return mounts;
    }

    /// Whether a container writes to a directory that is the machine's own.
    public boolean isOnMachine(Json.Obj container) {
        return container.objects("volumeMounts").stream()
                .filter(mount -> !mount.flag("readOnly"))
                .map(mount -> places.get(mount.string("name")))
                .anyMatch(place -> place != null && !isKept(place));
    }

    private boolean isKept(Path place) {
        return place.startsWith(home)
                || place.startsWith(settings.claims())
                || memory.filter(place::startsWith).isPresent();
    }

    private boolean isReadOnly(String volume) {
        return written.containsKey(volume);
    }

    /// More was written than may be: the text for the pod's eviction.
    ///
    /// @param processes the first ones of its containers
    public Optional<String> exceeded(Resource pod, List<Integer> processes) {
        var emptyDirectories = new LinkedHashMap<String, Path>();
        for (var volume : pod.spec().objects("volumes")) {
            var place = places.get(volume.string("name"));
            if (volume.has("emptyDir") && place != null) {
                emptyDirectories.put(volume.string("name"), place);
            }
        }
        return new LocalStorage(pod, home, emptyDirectories, processes).exceeded();
    }

    /// Whether a pod can write to more than its own root, so that [#exceeded] should be asked now and then.
    public static boolean canExceed(Resource pod) {
        return pod.spec().objects("volumes").stream().anyMatch(volume -> volume.has("emptyDir"));
    }

    /// The directory of a volume, for programs that read and write inside it.
    public Optional<Path> place(String volume) {
        return Optional.ofNullable(places.get(volume));
    }

    /// Deletes all that was the pod's alone.
    public void remove() throws IOException {
        Directories.deleteAll(directory);
        if (memory.isPresent()) {
            Directories.deleteAll(memory.get());
        }
    }
}
