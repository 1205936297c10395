'use strict';

// Asks for the documents of /api/v1/ and for the metrics once a second, and shows differences as rates.

const PERIOD = 1000;
const HISTORY = 120;
const EVENTS_SHOWN = 200;

const byId = (id) => document.getElementById(id);
const history = { read: [], write: [], readLatency: [], writeLatency: [] };
let before = null;

async function ask(path, kind) {
  const response = await fetch(path, { cache: 'no-store' });
  if (kind === 'health') {
    return { well: response.ok, text: (await response.text()).trim() };
  }
  if (!response.ok) {
    throw new Error(`${path}: ${response.status}`);
  }
  return kind === 'text' ? response.text() : response.json();
}

async function look() {
  const [health, sessions, luns, ports, metrics] = await Promise.all([
    ask('readyz', 'health'),
    ask('api/v1/sessions'),
    ask('api/v1/luns'),
    ask('api/v1/ports'),
    ask('metrics', 'text'),
  ]);
  return {
    time: performance.now(),
    health,
    sessions: sessions.sessions,
    luns: luns.luns,
    ports: ports.ports,
    buckets: { read: buckets(metrics, 'read'), write: buckets(metrics, 'write') },
    version: (/^srpt_build_info\{.*version="([^"]*)"/m.exec(metrics) || [])[1] || '',
  };
}

/** Cumulative counts of the latency histogram by upper bound in seconds. */
function buckets(metrics, op) {
  const found = [];
  for (const line of metrics.split('\n')) {
    if (line.startsWith('srpt_command_duration_seconds_bucket') && line.includes(`op="${op}"`)) {
      const bound = /le="([^"]*)"/.exec(line)[1];
      found.push([bound === '+Inf' ? Infinity : Number(bound), Number(line.slice(line.lastIndexOf(' ') + 1))]);
    }
  }
  return found.sort((a, b) => a[0] - b[0]);
}

/** The quantile of what came between two looks, as Prometheus computes it; null without commands. */
function quantile(q, old, now) {
  const counts = now.map(([bound, count], i) => [bound, count - (old[i] ? old[i][1] : 0)]);
  const total = counts.length ? counts[counts.length - 1][1] : 0;
  if (total <= 0) {
    return null;
  }
  const rank = q * total;
  let lower = 0;
  let below = 0;
  for (const [bound, count] of counts) {
    if (count >= rank) {
      if (bound === Infinity) {
        return lower;
      }
      return lower + (bound - lower) * (count === below ? 1 : (rank - below) / (count - below));
    }
    lower = bound;
    below = count;
  }
  return lower;
}

function show(now) {
  const health = byId('health');
  health.textContent = now.health.well ? 'ready' : now.health.text;
  health.className = now.health.well ? 'good' : 'bad';
  byId('version').textContent = now.version;
  byId('sessions-count').textContent = now.sessions.length;
  const seconds = before ? (now.time - before.time) / 1000 : 0;
  const rate = (list, key, match) => (item) => {
    const old = before && before[list].find((each) => match(each) === match(item));
    return old && seconds > 0 ? Math.max(0, (item[key] - old[key]) / seconds) : 0;
  };
  const lunKey = (lun) => lun.lun;
  const reads = rate('luns', 'reads', lunKey);
  const writes = rate('luns', 'writes', lunKey);
  const readBytes = rate('luns', 'read_bytes', lunKey);
  const writtenBytes = rate('luns', 'written_bytes', lunKey);
  const sum = (f) => now.luns.reduce((total, lun) => total + f(lun), 0);
  byId('iops').textContent = number(sum(reads) + sum(writes));
  byId('throughput').textContent = bytes(sum(readBytes) + sum(writtenBytes)) + '/s';
  const latency = (op, q) => (before ? quantile(q, before.buckets[op], now.buckets[op]) : null);
  byId('read-latency').textContent = pair(latency('read', 0.5), latency('read', 0.99));
  byId('write-latency').textContent = pair(latency('write', 0.5), latency('write', 0.99));
  if (before) {
    remember('read', sum(readBytes));
    remember('write', sum(writtenBytes));
    remember('readLatency', latency('read', 0.99) || 0);
    remember('writeLatency', latency('write', 0.99) || 0);
    chart('throughput', history.read, history.write, (top) => bytes(top) + '/s');
    chart('latency', history.readLatency, history.writeLatency, time);
  }
  const sessionKey = (session) => session.port + session.initiator;
  const commands = rate('sessions', 'commands', sessionKey);
  rows('sessions', now.sessions.map((session) => [
    { id: session.initiator }, session.addresses.join(', '), session.port, session.rule, session.channels.length, number(commands(session)),
  ]), 'Nobody is logged in.');
  const readMean = mean(reads, rate('luns', 'read_seconds', lunKey));
  const writeMean = mean(writes, rate('luns', 'write_seconds', lunKey));
  rows('luns', now.luns.map((lun) => [
    lun.lun, lun.store, bytes(lun.bytes), number(reads(lun)), bytes(readBytes(lun)) + '/s', readMean(lun),
    number(writes(lun)), bytes(writtenBytes(lun)) + '/s', writeMean(lun), lun.commands_inflight, lun.store_errors,
    reservation(lun.reservation), access(lun.access),
  ]), 'There is no disk.');
  rows('ports', now.ports.map((port) => [
    port.name, { id: port.gid.map(address).join(' ') }, port.enabled ? 'yes' : 'no', port.channels, port.logins,
  ]), 'There is no port.');
  before = now;
}

function remember(name, value) {
  history[name].push(value);
  if (history[name].length > HISTORY) {
    history[name].shift();
  }
}

function chart(name, reads, writes, format) {
  const top = Math.max(...reads, ...writes, 0);
  byId(`${name}-top`).textContent = `top ${format(top)}`;
  const line = (values, kind) => {
    const points = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
    points.setAttribute('class', kind);
    points.setAttribute('points', values
      .map((value, i) => `${HISTORY - values.length + i},${(39 - (top > 0 ? value / top : 0) * 38).toFixed(2)}`)
      .join(' '));
    return points;
  };
  byId(`${name}-chart`).replaceChildren(line(reads, 'read'), line(writes, 'write'));
}

/** Fills a table's body; texts are never taken for markup. Each cell has its heading, for screens that show no head. */
function rows(id, cells, nothing) {
  const headings = byId(id).closest('table').querySelectorAll('th');
  const body = cells.map((values) => {
    const row = document.createElement('tr');
    values.forEach((value, column) => {
      const cell = row.insertCell();
      cell.dataset.heading = headings[column].textContent;
      const isId = value !== null && typeof value === 'object';
      cell.textContent = isId ? value.id : value;
      cell.className = isId ? 'id' : '';
    });
    return row;
  });
  if (!body.length) {
    const row = document.createElement('tr');
    const cell = row.insertCell();
    cell.colSpan = headings.length;
    cell.className = 'none';
    cell.textContent = nothing;
    body.push(row);
  }
  byId(id).replaceChildren(...body);
}

function number(value) {
  return Math.round(value).toLocaleString('en');
}

function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(value < 10 ? 2 : 1)}\u00a0${units[unit]}`;
}

function time(seconds) {
  if (seconds < 1e-3) {
    return `${Math.round(seconds * 1e6)}\u00a0µs`;
  }
  return seconds < 1 ? `${(seconds * 1e3).toFixed(1)}\u00a0ms` : `${seconds.toFixed(2)}\u00a0s`;
}

/** The mean latency of a disk between two looks. */
function mean(count, seconds) {
  return (lun) => (count(lun) > 0 ? time(seconds(lun) / count(lun)) : '–');
}

function reservation(its) {
  if (!its) {
    return '–';
  }
  const registered = its.registrations.length ? `, ${its.registrations.length} registered` : '';
  return `${its.type}${its.holder ? ` by ${its.holder}` : ''}${registered}`;
}

/** A GID as people write it. */
function address(gid) {
  return gid.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Through which addresses a disk is reached how well. */
function access(groups) {
  return groups.length ? groups.map((group) => `${group.state} ${group.ports.join(' ')}`).join(', ') : 'all the same';
}

function pair(median, late) {
  return median === null ? '–' : `${time(median)} / ${time(late)}`;
}

async function turn() {
  try {
    show(await look());
  } catch (error) {
    const health = byId('health');
    health.textContent = 'does not answer';
    health.className = 'bad';
  }
  setTimeout(turn, PERIOD);
}

function listen() {
  const pause = byId('pause');
  pause.addEventListener('click', () => {
    const paused = pause.getAttribute('aria-pressed') !== 'true';
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Go on' : 'Pause';
  });
  const kinds = ['login_accepted', 'login_rejected', 'channel_state_changed', 'channel_released', 'connection_incident',
    'queue_pair_incident', 'task_management_done', 'port_incident', 'transport_incident', 'loop_stalled', 'events_missed'];
  const source = new EventSource('events?kinds=channel,login,task_management,port,transport,stall');
  for (const kind of kinds) {
    source.addEventListener(kind, (event) => {
      if (pause.getAttribute('aria-pressed') === 'true') {
        return;
      }
      const item = document.createElement('li');
      const name = document.createElement('b');
      name.textContent = kind.replaceAll('_', ' ');
      const data = Object.entries(JSON.parse(event.data)).map(([key, value]) => `${key}=${value}`).join(' ');
      item.append(`${new Date().toLocaleTimeString()} `, name, ` ${data}`);
      const list = byId('events');
      list.prepend(item);
      while (list.children.length > EVENTS_SHOWN) {
        list.lastChild.remove();
      }
    });
  }
}

listen();
turn();
