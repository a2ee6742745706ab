package dev.towtank.apiserver.http;

import dev.towtank.apiserver.view.Payload;
import dev.towtank.model.Json;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// What Jetty itself refuses (broken HTTP, too large headers, requests while stopping), as a `Status` like all else.
final class ProtocolErrors implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int code = response.getStatus();
        var message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
        var status = Json.Obj.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", Json.Obj.EMPTY)
                .put("status", "Failure")
                .put("message", message == null ? HttpStatus.getMessage(code) : message.toString())
                .put("reason", reason(code))
                .put("code", code)
                .build();
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        var payload = Payload.of(status);
        var buffer = ByteBuffer.allocate((int) payload.length());
        payload.pieces().forEach(buffer::put);
        response.write(true, buffer.flip(), callback);
        return true;
    }

    private static String reason(int code) {
        return switch (code) {
            case 400, 414, 431 -> "BadRequest";
            case 503 -> "ServiceUnavailable";
            default -> code < 500 ? "BadRequest" : "InternalError";
        };
    }
}
