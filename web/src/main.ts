// The door of the page.

import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { prefs } from './lib/prefs.svelte';
import { shelf } from './state/catalogue.svelte';

prefs.apply();
void shelf.load();
const target = document.getElementById('app');
if (target) mount(App, { target });
