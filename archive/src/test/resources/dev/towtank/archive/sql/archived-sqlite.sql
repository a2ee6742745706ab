INSERT INTO results VALUES ('dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', 'r-1', '{"repo": "a/b"}', 1000, 2000, 'dev/results/r-1/records/p-1',
    'tekton.dev/v1.PipelineRun', 1767261600000000, 1767261660000000, 1, '{}', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01-2000000')

INSERT INTO results VALUES ('secret', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a02', 'r-2', '{}', 3000, 3000, NULL, NULL, NULL, NULL, NULL, NULL, '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a02-3000000')

INSERT INTO records VALUES ('dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', 'r-1', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b01', 'p-1', 'tekton.dev/v1.PipelineRun',
    '{"kind": "PipelineRun", "metadata": {"name": "build-1", "namespace": "dev", "uid": "p-1", "labels": {"team": "blue", "tekton.dev/pipeline": "build"}}, "status": {"startTime": "2026-01-01T10:00:00Z", "completionTime": "2026-01-01T10:01:00Z", "conditions": [{"type": "Succeeded", "status": "True", "reason": "Succeeded"}]}}',
    'digest-1', 1000, 1000, '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b01-1000000')

INSERT INTO records VALUES ('dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', 'r-1', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b02', 't-1', 'tekton.dev/v1.TaskRun',
    '{"kind": "TaskRun", "metadata": {"name": "build-1-compile", "namespace": "dev", "uid": "t-1", "ownerReferences": [{"kind": "PipelineRun", "uid": "p-1"}], "labels": {"team": "blue", "odd \"name\"": "it''s"}}}',
    'digest-2', 1001, 1001, '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b02-1001000')

INSERT INTO records VALUES ('dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', 'r-1', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b03', 'l-1', 'results.tekton.dev/v1alpha3.Log',
    '{"spec": {"resource": {"kind": "PipelineRun", "uid": "p-1"}}, "status": {"size": 18, "isStored": true}}',
    'digest-3', 1002, 1002, '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b03-1002000')

INSERT INTO records VALUES ('secret', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a02', 'r-2', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b04', 't-2', 'tekton.dev/v1.TaskRun',
    '{"kind": "TaskRun", "metadata": {"name": "alone", "namespace": "secret", "uid": "t-2", "labels": {"team": "red", "wrong": 7}}}',
    'digest-4', 3000, 3000, '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b04-3000000')

INSERT INTO records VALUES ('secret', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a02', 'r-2', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b05', 't-3', 'tekton.dev/v1.TaskRun',
    '{"kind": "TaskRun", "metadata": {"name": "bare", "namespace": "secret", "uid": "t-3"}}',
    'digest-5', 3001, 3001, '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b05-3001000')

INSERT INTO record_labels VALUES ('team', 'blue', 'dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b01')

INSERT INTO record_labels VALUES ('tekton.dev/pipeline', 'build', 'dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b01')

INSERT INTO record_labels VALUES ('team', 'blue', 'dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b02')

INSERT INTO record_labels VALUES ('odd "name"', 'it''s', 'dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b02')

INSERT INTO record_labels VALUES ('team', 'red', 'secret', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a02', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b04')

INSERT INTO logs VALUES ('dev', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7a01', '6a1f8f0e-2f4d-3c3b-9a52-0c8d1d1b7b03', 0, 'compile', 'make', 't-1:pod:step-make', 18, 'complete')

INSERT INTO log_chunks VALUES ('t-1:pod:step-make', 0, 1000, X'789c4bcb2c2a2e51c848cc49e3020019b303ee')

INSERT INTO log_chunks VALUES ('t-1:pod:step-make', 1, 1000, X'789c2b4e4dcecf4be102000b510287')
