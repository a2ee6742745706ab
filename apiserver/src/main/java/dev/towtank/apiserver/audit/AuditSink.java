package dev.towtank.apiserver.audit;

/// Where requests are noted down.
public interface AuditSink {

    AuditSink OFF = new AuditSink() {
        @Override
        public Level level() {
            return Level.OFF;
        }

        @Override
        public void record(AuditEvent event) {}
    };

    /// How much is noted down.
    enum Level {
        OFF,
        /// Everything about a request but what it carries.
        METADATA,
        /// Also what it carries and the object that it is answered with; never those that may hold secrets.
        REQUEST
    }

    Level level();

    /// Never waits, for a disk or for anybody.
    void record(AuditEvent event);

    default boolean isOn() {
        return level() != Level.OFF;
    }
}
