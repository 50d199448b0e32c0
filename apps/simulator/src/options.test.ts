import { describe, expect, test } from 'vitest';
import { helpText, readCommandLine, UsageError } from './options.ts';

describe('readCommandLine', () => {
  test('the default is a small fleet with behavior', () => {
    expect(readCommandLine([])).toMatchObject({
      help: false,
      quiet: false,
      fleet: { url: 'ws://127.0.0.1:8080/ocpp', devices: 10, prefix: 'SIM', sessionEvery: 30, faultEvery: 240 },
    });
  });

  test('reads every option', () => {
    const args =
      '--url wss://h/ocpp --devices 50 --prefix P --seed s --password pw --connect-rate 20 --heartbeat 9 ' +
      '--meter-interval 5 --session-every 0 --fault-every 2 --disconnect-every 3 --slow-answers 0.1:8000 ' +
      '--ocpp201 0.25 --ocpp21 0.1 --refuse 0.2 --speed 60 --renew-certificates --ca ca.pem --insecure --quiet --resume ' +
      '--storage 4 --storage-json 2 --mqtt mqtts://h --storage-prefix E';
    expect(readCommandLine(args.split(' '))).toEqual({
      help: false,
      replay: null,
      quiet: true,
      resume: true,
      fleet: {
        url: 'wss://h/ocpp',
        devices: 50,
        prefix: 'P',
        seed: 's',
        ocpp201: 0.25,
        ocpp21: 0.1,
        password: 'pw',
        connectRate: 20,
        heartbeat: 9,
        meterInterval: 5,
        sessionEvery: 0,
        faultEvery: 2,
        disconnectEvery: 3,
        slowAnswers: { share: 0.1, maxMs: 8000 },
        refuseShare: 0.2,
        speed: 60,
        renewCertificates: true,
        ca: 'ca.pem',
        insecure: true,
      },
      storage: {
        ...{ url: 'mqtts://h', units: 4, password: 'pw', insecure: true, prefix: 'E', seed: 's', speed: 60 },
        ...{ json: 2, faultEvery: 2, disconnectEvery: 3 },
      },
    });
  });

  test('reads how to replay a recording', () => {
    const args = '--replay a.jsonl --replay-sn A=B,C=D --speed 10 --keep-times --password pw --url wss://h/ocpp';
    expect(readCommandLine(args.split(' '))).toEqual({
      ...{ help: false, replay: 'a.jsonl' },
      options: {
        ...{ url: 'wss://h/ocpp', mqtt: expect.stringMatching(/^mqtt:/), password: 'pw', speed: 10 },
        ...{ sns: { A: 'B', C: 'D' }, keepTimes: true, insecure: false },
      },
    });
  });

  test('the default for the latest response is five seconds', () => {
    expect(readCommandLine(['--slow-answers', '0.05'])).toMatchObject({
      fleet: { slowAnswers: { share: 0.05, maxMs: 5000 } },
    });
  });

  test('storage units do not require charge points', () => {
    const args = '--devices 0 --storage 1 --password pw'.split(' ');
    expect(readCommandLine(args)).toMatchObject({ fleet: { devices: 0 }, storage: { units: 1 } });
  });

  test.each([
    [['--devices', 'x'], '--devices x'],
    [['--devices', '0'], '--devices 0'],
    [['--url', 'http://h'], '--url http://h'],
    [['--refuse', '2'], '--refuse 2'],
    [['--slow-answers', '0.5:1:2'], '--slow-answers 0.5:1:2'],
    [['--slow-answers', '0.5:a'], '--slow-answers a'],
    [['--speed', ''], '--speed'],
    [['--colour', 'red'], '--colour'],
    [['--replay', 'a.jsonl', '--replay-sn', 'A=B=C'], '--replay-sn A=B=C'],
    [['stray'], 'stray'],
  ])('rejects %j with a specific message', (args, part) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(part);
  });

  test('prints a help text with every option', () => {
    expect(readCommandLine(['--help'])).toEqual({ help: true });
    for (const name of ['--url', '--devices', '--slow-answers', '--speed', '--insecure']) {
      expect(helpText()).toContain(name);
    }
  });
});
