package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import java.util.ArrayList;
import java.util.List;

/// Descriptors that are closed together, unless somebody else takes one over.
final class Opened implements AutoCloseable {

    private final List<Integer> descriptors = new ArrayList<>();
    private final List<Fence> fences = new ArrayList<>();

    int add(int descriptor) {
        descriptors.add(descriptor);
        return descriptor;
    }

    Descriptors.Pipe add(Descriptors.Pipe pipe) {
        add(pipe.readEnd());
        add(pipe.writeEnd());
        return pipe;
    }

    void add(Fence fence) {
        fences.add(fence);
    }

    void take(Fence fence) {
        fences.remove(fence);
    }

    int take(int descriptor) {
        descriptors.remove(Integer.valueOf(descriptor));
        return descriptor;
    }

    @Override
    public void close() {
        descriptors.forEach(Descriptors::close);
        descriptors.clear();
        fences.forEach(Fence::close);
        fences.clear();
    }
}
