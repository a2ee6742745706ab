package dev.towtank.cluster.web;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What a feature answers.
///
/// @param length of the body in bytes; −1 where that is not known before it is written
public record WebResponse(int status, List<Header> headers, long length, Body body) {

    public record Header(String name, String value) {}

    /// Writes the body, on the thread that handles the request; it may take its time. What it has written when it
    /// throws
    /// is all that the client gets, and the connection is cut.
    @FunctionalInterface
    public interface Body {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    public WebResponse {
        headers = List.copyOf(headers);
    }

    public static WebResponse of(int status, String contentType, byte[] body) {
        return new WebResponse(
                status, List.of(new Header("Content-Type", contentType)), body.length, out -> out.write(body));
    }

    public static WebResponse text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    public static WebResponse json(int status, Json json) {
        return of(status, "application/json", JsonText.write(json).getBytes(StandardCharsets.UTF_8));
    }

    public static WebResponse empty(int status) {
        return new WebResponse(status, List.of(), 0, _ -> {});
    }

    /// Of a length that nobody knows yet.
    public static WebResponse stream(int status, String contentType, Body body) {
        return new WebResponse(status, List.of(new Header("Content-Type", contentType)), -1, body);
    }

    public WebResponse with(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new WebResponse(status, more, length, body);
    }
}
